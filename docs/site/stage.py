"""Gathers what Sphinx reads: docs/, the changelog, the manual, and a page for every source file that a page links to.

usage: stage.py ROOT OUTPUT_FOLDER [TOOL]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

LEXERS = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".sh": "bash", ".py": "python", ".cmake": "cmake",
          ".txt": "cmake", ".ipynb": "json", ".json": "json"}


def stage_documents(root, out):
    for source in sorted((root / "docs").rglob("*")):
        relative = source.relative_to(root / "docs")
        if relative.parts[0] == "site" or source.is_dir():
            continue
        target = out / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    index = (root / "docs/site/index.md").read_text()
    (out / "index.md").write_text(re.sub(r"(\]\(|^)\.\./", r"\1", index, flags=re.MULTILINE))
    shutil.copyfile(root / "CHANGELOG.md", out / "CHANGELOG.md")
    names = sorted(path.stem for path in (root / "docs/derivations").glob("*.md"))
    (out / "derivations/index.md").write_text(
        "# Derivations\n\nEvery constant of a proof, with the proof. Tests try to break each of them.\n\n"
        "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n")


def heading_of(path):
    return "# " + path.replace("_", r"\_")


def source_page(root, out, path):
    """A page that shows a file of the project; returns its name."""
    target = out / "source" / (path + ".md")
    target.parent.mkdir(parents=True, exist_ok=True)
    file = root / path
    lexer = LEXERS.get(file.suffix, "text")
    target.write_text(f"---\norphan: true\n---\n\n{heading_of(path)}\n\n``````{lexer}\n{file.read_text()}\n``````\n")
    return target


def title_of(file):
    """The heading of a page, for links that show the name of its file."""
    if file.suffix != ".md":
        return None
    return next((line[2:].strip() for line in file.read_text().splitlines() if line.startswith("# ")), None)


def resolved_links(root, out, page, text):
    """Links that lead out of docs/: to a page with the file, or to nothing where it is a folder."""
    document = page.relative_to(out)
    folder = (root if document.name == "CHANGELOG.md" else root / "docs") / document.parent

    def replaced(match):
        label, target = match.group(1), match.group(2)
        if re.match(r"[a-z]+:|#", target):
            return match.group(0)
        path, _, anchor = target.partition("#")
        file = pathlib.Path(os.path.normpath(folder / path))
        if not file.exists():
            if (page.parent / path).exists():
                return match.group(0)
            sys.exit(f"{document}: dead link: {target}")
        if file.is_relative_to(root / "docs") and not file.is_dir():
            to = out / file.relative_to(root / "docs")
        elif file.is_dir():
            return label
        elif file.name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"):
            return label
        elif file == root / "CHANGELOG.md":
            to = out / "CHANGELOG.md"
        else:
            to = source_page(root, out, str(file.relative_to(root)))
        if label == file.name:
            label = title_of(file) or label
        return f"[{label}]({os.path.relpath(to, page.parent)}{'#' + anchor if anchor else ''})"

    pieces = re.split(r"(^```.*?^```|^    .*?$|`[^`\n]*`(?!\]))", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(piece if i % 2 else re.sub(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)", replaced, piece)
                   for i, piece in enumerate(pieces))


def manual(out, tool):
    """The help of every command."""
    lines = ["# The command line\n"]
    if tool:
        environment = dict(os.environ, COLUMNS="100", NO_COLOR="1")

        def help_of(*words):
            return subprocess.run([tool, "help", *words], env=environment, check=True, capture_output=True, text=True).stdout

        top = help_of()
        lines += ["```text", top, "```", ""]
        for name in re.findall(r"^  ([a-z-]+) ", top.split("Commands:")[1].split("\n\n")[0], flags=re.MULTILINE):
            lines += [f"## graze {name}\n", "```text", help_of(name), "```", ""]
    else:
        lines.append("This site was built without the tool; `graze help` and `graze help COMMAND` print it.")
    lines.append("\nCompletion for shells: `graze completion bash`, `zsh` or `fish` prints the script.\n")
    (out / "manual.md").write_text("\n".join(lines))


def main():
    root, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    tool = sys.argv[3] if len(sys.argv) > 3 else ""
    stage_documents(root, out)
    manual(out, tool)
    for page in sorted(out.rglob("*.md")):
        if page.relative_to(out).parts[0] in ("source", "api") or page == out / "index.md":
            continue
        page.write_text(resolved_links(root, out, page, page.read_text()))


main()
