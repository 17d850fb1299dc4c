"""Which definition of an agent counts is what the client itself uses."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lib.agents import definitions
from tests.agents.conftest import Farm


def found(farm: Farm, agent: str = "reviewer") -> tuple[str, str] | None:
    one = definitions.find(agent, str(farm.launch), str(farm.config))
    return (one.origin, one.memory) if one else None


def test_a_project_s_agent_counts_before_the_person_s(farm: Farm) -> None:
    farm.agent(scope="user", folder=farm.config / "agents")
    assert found(farm) == ("user", "user")
    farm.agent(scope="local")
    assert found(farm) == ("project", "local")


def test_the_folder_nearest_to_the_launch_counts_first_and_none_above_the_root(farm: Farm) -> None:
    farm.agent(scope="local")
    farm.agent(scope="user", folder=farm.root.parent / ".claude" / "agents")
    farm.launch = farm.root / "a" / "b"
    farm.launch.mkdir(parents=True)
    assert found(farm) == ("project", "local")
    farm.agent(scope="project", folder=farm.root / "a" / ".claude" / "agents")
    assert found(farm) == ("project", "project")
    farm.agent("other", "user", folder=farm.root.parent / ".claude" / "agents")
    assert found(farm, "other") is None


def test_the_name_in_the_frontmatter_counts_not_the_file_s(farm: Farm) -> None:
    path = farm.agent(folder=farm.root / ".claude" / "agents" / "below" / "deep")
    path.rename(path.with_name("elsewhere.md"))
    assert found(farm) == ("project", "project")
    assert found(farm, "elsewhere") is None


def test_a_plugin_s_agent_is_called_by_its_plugin_and_folder(farm: Farm, tmp_path: Path) -> None:
    plugin = tmp_path / "plugin"
    farm.agent(scope="user", folder=plugin / "agents")
    farm.agent("deep", "project", folder=plugin / "agents" / "sub")
    register = farm.config / "plugins" / "installed_plugins.json"
    register.parent.mkdir()
    register.write_text(json.dumps({"plugins": {"tools@market": [{"installPath": str(plugin)}]}}))
    assert found(farm, "tools:reviewer") == ("plugin", "user")
    assert found(farm, "tools:sub:deep") == ("plugin", "project")
    assert found(farm) is None
    listed = {one.agent for one in definitions.listed(str(farm.launch), str(farm.config))}
    assert listed == {"tools:reviewer", "tools:sub:deep"}


@pytest.mark.parametrize("register", [[], {"plugins": 3}, {"plugins": {"a@b": [{"installPath": "rel"}, 7, None]}}, "{"])
def test_a_strange_list_of_plugins_names_none(farm: Farm, register: Any) -> None:
    path = farm.config / "plugins" / "installed_plugins.json"
    path.parent.mkdir()
    path.write_text(register if isinstance(register, str) else json.dumps(register))
    assert found(farm, "a:reviewer") is None


def test_files_that_are_no_agents_are_read_over(farm: Farm) -> None:
    folder = farm.agent().parent
    (folder / "empty.md").write_text("")
    (folder / "binary.md").write_bytes(b"\xff\xfe\0" * 100)
    (folder / "folder.md").mkdir()
    (folder / "gone.md").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.md")
    assert [one.agent for one in definitions.listed(str(farm.launch), str(farm.config))] == ["reviewer"]
