"""Word lists that weigh a word before any memory is read: function words, everyday words of developers, small talk.

STOP words never count. COMMON stems are what prompts of any project are made of ("fix the failing test"): a match on
one says little, however rare the word is among a few dozen memories. CHAT words make a prompt that needs no memory.
Req: C1.
"""

from __future__ import annotations

STOP = frozenset(
    """
a about above across after again against all almost along also although always am among an and another any anybody
anyone anything are aren't around as ask at away back be because been before being below between both but by can can't
cannot could couldn't did didn't do does doesn't doing don't done down during each either else enough etc even ever
every everything few for from further get gets getting give given go goes going gone gonna got had hadn't has hasn't
have haven't having he he'd he'll he's her here here's hers herself hey hi him himself his how how's however i i'd
i'll i'm i've if in instead into is isn't it it'd it'll it's its itself just kind know let let's lets like likely lot
lots made make makes making many may maybe me mean means might mine more most much must my myself need needs neither
never no nobody none nor not nothing now of off oh ok okay on once one ones only onto or other others ought our ours
ourselves out over own per perhaps please pretty probably put quite rather re really right same say says see seem
seems shall shan't she she'd she'll she's should shouldn't since so some somebody someone something sometimes
somewhere sort still such sure take tell than that that's the their theirs them themselves then there there's these
they they'd they'll they're they've thing things think this those though through thus till to together too toward
towards two um un under until up upon us very via wanna want wants was wasn't way we we'd we'll we're we've well were
weren't what what's whatever when when's where where's whether which while who who's whole whom whose why why's will
with within without won't would wouldn't yeah yes yet you you'd you'll you're you've your yours yourself yourselves
yep nope ugh btw
""".split()
)

# Stems, because stems are what is looked up.
COMMON = frozenset(
    """
may
abl accept access action add address agent ai allow answ answer anyth app appli applic approach area arg argument
arrai assist attempt automat avail backend bad base basic begin behavi behavior best bet better big bit block
bodi bool bottom break bring broken bug build button cach call care case categori chang charact chat check class
claud clean clear click client clo clos close cod code column come command comment commit common compar complet
compon comput config configur confirm connect consid contain content context continu control conv convers convert
copi correct cost count cour cours cover crash creat current custom dai data date decid default defin delet
describ descript design detail develop devic dif diff differ direct directori disabl displai doc docum document
doubl download edit effect element empti enabl end ensur enter entir entri env environ error everyth exact exampl
execut exist expect explain extra extract fail failur fal fals far fast featur feedback feel field figur file
fill filt find fine finish first fix flag flow fold folder follow font form format found frontend full function
futur gener git good great group guess guid hand handl happen hard head hei hello help hide high histori hold
hope host hour html http human id idea identifi imag implement import improv includ incorrect index indic info
inform initi inlin input insert insid inspect instal instanc instruct int integr intend interfac intern introduc
invalid investig issu item job keep key kill kind label languag larg last late latest layout lead learn leav left
length less level lib librari line link list littl live llm load local log logic long longer look loop low main
maintain manag manual map mark mat match matter max maximum mayb messag method min minimum minut miss mode model
modifi modul moment monei month morn move multipl name navig new next nice night node note noth notic null numb
number object obviou occur old open oper option ord order origin output page panel par param paramet pars part
pass past path pattern pend peopl perform perman person pha phas pick piec plac place plai plan plea pleas plu
point possibl post pref prefer prefix present press prevent previou print prior privat probabl problem proc proce
process produc product program progress project prompt prop proper properti provid public pull purpo purpos push
queri question quick rang read readi real realli reason recent recogn recommend record reduc refact refactor
refer refresh regard relat relev remain rememb remind remov renam rep repeat replac repo report repositori
reproduc request requir reset resolv respon respons rest restart result return revert review rewrit ring root
round row rule run safe sampl save scan scop screen script scroll search second section select send separ serv
server servic session set setup shar share short show shown side similar simpl simplifi singl site size skip slow
small solut solv someth sourc spac space special specif specifi split stag start stat state statement statu step
stop stor store string structur stuff styl style submit suggest summari suppo support suppos suspect switch
system tab tabl tag talk task team temp term test text thank thread tick time titl todai tomorrow tool top total
track tree tri trig trigger true try turn type ui under understand uniqu unit unknown unnecessari unus updat
upgrad upload url us usag use user usernam usual util ux valid valu variabl variou verifi version via view visibl
wait want warn watch web websit week weird width window wish word work workflow world worri wrap writ write
written wrong year yesterdai zero
""".split()
)

CHAT = frozenset(
    """
thanks thank thx ty cheers great good nice cool perfect awesome excellent amazing lovely wonderful brilliant super
fine ok okay k yes yep yeah yup no nope sure right correct exactly agreed alright continue proceed go ahead next done
stop wait hold hello hi hey morning evening night bye lgtm looks look sounds sound seems works working work fantastic
got it please keep going do that this now so much very all again love sorry welcome understood clear well try more one
job haha lol hmm wow ship merge commit push run it undo retry redo yolo cancel resume start danke bitte weiter ja nein
gut super merci oui non continuez gracias si sí vale sigue obrigado obrigada sim não grazie prego avanti bene bedankt
spasibo спасибо да нет дальше хорошо 谢谢 继续 好的 好 是 是的 ありがとう ありがとうございます はい
いいえ 続けて 続けてください お願いします 感谢 계속 네 감사합니다 고마워
""".split()
)

# Stems again: what an order begins with, and what may stand before it ("can you please add …").
ORDERS = frozenset(
    """
add adjust announc append build bump chang clean commit complet configur continu convert cover creat debug delet
deploi describ disabl document draft draw drop enabl explain expos extract finish fix format gener hook implement
improv insert instal introduc investig lint log make merg migrat mock move open optim plan polish port prepar
profil publish push put rebas redo reduc refact reformat releas remov renam replac restructur revert review
rewrit roll run set ship simplifi speed split squash start stop summar switch tag teach test tidi translat turn
updat upgrad use wire wrap writ
""".split()
)
COURTESIES = frozenset(
    """
ahead also and can could d final first go had have help i instead just let let's like ll mayb me might must need next
now ok okai pleas s should so then to try us ve want we will would you
""".split()
)

# Verbs that say nothing of the kind of work.
GENERIC_VERBS = frozenset("add chang creat fix make move put remov replac set turn updat use writ".split())
# Stems with which a question for a fact begins; "how do I" and "which" ask for work or a choice.
FACT_WORDS = frozenset("are do had has is remind was were what when wher who whom whos why".split())
HOW_WORDS = frozenset("are big do far is larg long mani much often old was were".split())

# Function words of other languages: they only count as such in a prompt that shows several of them.
FOREIGN = frozenset(
    """
der die das den dem des ein eine einen einem einer und oder aber nicht ich du er sie es wir ihr ist sind war waren
wird werden wie was warum wo wer welche welcher welches mit ohne für auf aus bei nach von vor zu zum zur im am als
auch noch nur schon wenn dann dass damit hier kann können soll sollen muss müssen haben hat habe man mal bitte unser
unsere unseren mein meine dein uns mich mir dir sich doch immer jetzt machen gibt über unter durch gegen le la les un
une du de des et ou mais ne pas je tu il elle on nous vous ils est sont était être avoir a ai avons comment pourquoi
où qui que quoi quel quelle quels quelles avec sans pour sur dans par au aux en ce cette ces mon ma mes ton notre nos
votre se si faut doit peut fait faire dois déjà aussi y el los las una unos unas y o pero no yo tú él ella nosotros es
son era ser estar está están cómo por qué dónde quién cual cuál con sin para sobre del al lo mi mis tu su nuestro
nuestra nuestros se debe debo puede hacer hay qué cuando como más o os as um uma uns e ou mas não eu ele ela nós é são
com sem por para sobre do da dos das no na nos nas em ao meu minha nosso nossa como onde quem qual quando por que
fazer está isso este esta il lo gli i una uno ed ma non io lui lei noi è sono con senza per su di da del della dei
delle nel nella al alla che chi come dove quando perché quale questo questa mio nostro si deve può fare het een van en
of maar niet ik jij hij zij wij is zijn met zonder voor op uit bij naar om te als ook wat waarom waar wie welke hoe
kan moet onze ons dit dat deze не и в на с что как это по из для от у мы я ты он она они где когда почему кто какой
какая какие наш наша мой если или но
""".split()
)

# By their stems, short forms too.
MONTH_NAMES = (
    "",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
MONTHS = {
    "januari": 1,
    "jan": 1,
    "februari": 2,
    "feb": 2,
    "march": 3,
    "mar": 3,
    "april": 4,
    "apr": 4,
    "may": 5,
    "june": 6,
    "jun": 6,
    "juli": 7,
    "jul": 7,
    "august": 8,
    "aug": 8,
    "septemb": 9,
    "sep": 9,
    "sept": 9,
    "octob": 10,
    "oct": 10,
    "novemb": 11,
    "nov": 11,
    "decemb": 12,
    "dec": 12,
}
