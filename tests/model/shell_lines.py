"""Command lines for the tests of the read-only shell. `$ROOT` is the yard, `$PARENT` the folder above it."""

from __future__ import annotations

ALLOWED = r"""
ls
ls -la
ls -lah sub
ls -1 | head -3
ls $ROOT
ls *.md
ls 'a file.md'
ls nosuch
ls nosuch 2>&1 | wc -c
ls nosuch 2>/dev/null || echo none
pwd
cat notes.md
cat -n notes.md sub/deep.md
cat link_in
head -n 2 notes.md
tail -2 notes.md
tail -n +3 notes.md
wc -l *.md sub/*.md
nl -ba notes.md
tac notes.md
grep -rn foo .
grep -rn foo . | head -1
grep -rn --include='*.md' foo . 2>/dev/null | sort | uniq -c
grep -c foo notes.md
grep -e foo -e last -n notes.md
grep -oE 'https?://[^ ]+' notes.md
grep 'foo|bar' notes.md
grep "costs \$5" notes.md
grep -q foo notes.md && echo yes || echo no
grep -q nothing notes.md && echo yes || echo no
grep -A1 -B1 bar notes.md
grep '日本' notes.md
grep -v foo notes.md | cut -c1-4
grep -l last notes.md sub/deep.md x.json
grep foo none.md
find . -name '*.md' -type f | sort
find . -maxdepth 1 -newer notes.md | sort
find sub -mtime -1 -print
find . -name nothing
find . \( -name notes.md -o -name x.json \) -printf '%s %p\n' | sort -k2
find . -path './sub/*' ! -name x
sed -n '1,2p' notes.md
sed -n '/bar/,$p' notes.md
sed 's/foo/FOO/g;1d' notes.md
cat notes.md | sed -n '$='
sort notes.md
sort -r notes.md | uniq | wc -l
cat x.json | jq .a.b
jq -r '.a.b[] | select(.c == 1) | .c' x.json
jq '.env' x.json
jq -c . x.json
cut -d' ' -f1 notes.md
cat notes.md | tr -d '\n'
diff notes.md sub/deep.md
diff -q notes.md notes.md && echo same
cmp notes.md sub/deep.md
comm -12 notes.md notes.md
sha256sum notes.md
md5sum notes.md sub/deep.md | cut -c1-8
basename sub/deep.md .md
dirname sub/deep.md
realpath notes.md
stat -c '%s %n' notes.md
file notes.md
du -a sub | sort
date -u +%Y
which cat
echo a  'b  c'
echo '$(x) `y` ; & | >'
true && false || echo end
test -e notes.md && echo there
test -d nosuch || echo missing
echo a; echo b; false
false; true
ls *.none
echo *.md
echo '*'
cat 'a file.md' a\ file.md
ls -d s*/ | wc -l
echo one >/dev/null
ls nosuch >/dev/null 2>&1
ls nosuch 2>&1 >/dev/null
tree -L 2
rg foo
rg -n foo sub
rg --files
cat -- notes.md
sha1sum notes.md
comm -3 notes.md sub/deep.md
head -c 10 notes.md | wc -c
jq -n '[1,2]|length'
find . -maxdepth 1 -type l | sort
grep -rl last --exclude-dir=sub .
""".strip().split("\n")

DENIED = {
    "chaining": r"""
ls; touch PWN
ls & touch PWN
ls && (touch PWN)
! touch PWN
true;true;touch PWN
if true; then ls; fi
""".strip().split("\n")
    + ["ls\ntouch PWN"],
    "substitution": r"""
ls $(touch PWN)
ls `touch PWN`
cat "$(touch PWN)"
t{ouch,} PWN
$'touch' PWN
c=touch; $c PWN
/usr/bin/tou?h PWN
""".strip().split("\n"),
    "redirection": r"""
echo x > PWN
ls 2> PWN
ls 2>&1>PWN
cat <<E > PWN
echo x >/dev/null/../PWN
cat < /etc/passwd
>PWN
ls >& PWN
""".strip().split("\n"),
    "wrappers": r"""
sh -c 'touch PWN'
env touch PWN
timeout 5 touch PWN
find . | xargs touch PWN
awk 'BEGIN{}'
./evil
PATH=. ls
sudo ls
""".strip().split("\n"),
    "flags": r"""
sort -o PWN notes.md
sort --outpu=PWN notes.md
uniq notes.md PWN
find . -delete
find . -exec touch PWN \;
sed -i s/a/b/ notes.md
sed -n 'w PWN' notes.md
tail -f notes.md
jq -n env
grep -f /etc/passwd x
tree -o PWN
tree -Iol x PWN
rg --pre ./evil x
date -s 1
""".strip().split("\n"),
    "git": r"""
git status
git log
git diff --output=PWN
git -c core.pager=x log
gh api user
npm ls
""".strip().split("\n"),
    "outside": r"""
cat ../outside.txt
cat link_out
cat linkdir_out/outside.txt
ls $PARENT/proj-evil
find / -name x
grep -r x /root
ls ~
cat ../*
test -e /etc/shadow
cat .env
diff -r sub linkdir_out
ls -L .
grep -R OUTSIDE .
file -f names.txt
wc --files0-from=names.txt
""".strip().split("\n"),
    "characters": r"""
ls 'x
ls "x
ls &&
| ls
ls;;ls
""".strip().split("\n")
    + [
        "",
        " ",
        "ls\x00",
        "ls\u202e",
        "l\u0455",
        "ls\xa0-la",
        "\ud800",
        "ls \\",
        "ls " + "a" * 5000,
        "cat" + " a" * 1500,
    ],
}
