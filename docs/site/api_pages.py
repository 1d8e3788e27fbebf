"""Pages of the reference from the XML of Doxygen: one per header, with what it declares and its comments.

usage: api_pages.py XML_FOLDER OUTPUT_FOLDER
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

MODULES = {
    "": "Entry points", "core": "core: numbers and poses", "narrow": "narrow: single queries",
    "broad": "broad: boxes and trees", "surface": "surface: polygons and defects", "mesh": "mesh: whole meshes",
    "rigid": "rigid: bodies", "robot": "robot: joints and motions", "urdf": "urdf: robots from files",
    "slide": "slide: characters", "io": "io: files", "generate": "generate: queries and scenes",
    "oracle": "oracle: exact ground truth", "cuda": "cuda: graphics processors", "c": "The C interface",
}


def text_of(node):
    """The text of a description: paragraphs and lists; what is preformatted stays so."""
    if node is None:
        return ""
    pieces = []
    for part in node:
        if part.tag == "para":
            verbatim = part.find("verbatim")
            if verbatim is not None:
                lines = [re.sub(r"^ ?/// ?", "", line).rstrip() for line in (verbatim.text or "").splitlines()]
                pieces.append(prose_or_figure("\n".join(lines).strip("\n")))
                continue
            items = [item for entry in part.iter("listitem") for item in entry.findall("para")]
            if items:
                lead = escaped(" ".join((part.text or "").split()))
                pieces.append("\n".join(([lead, ""] if lead else []) + [f"- {plain(item)}" for item in items]))
            else:
                pieces.append(plain(part))
    return "\n\n".join(piece for piece in pieces if piece)


def prose_or_figure(text):
    """Paragraphs where nothing is indented or in columns or a list; else the text as it stands."""
    if re.search(r"^([ \t]|[-*|]|\d+[.)] )|\S {2,}\S", text, flags=re.MULTILINE):
        return "```text\n" + text + "\n```"
    return "\n\n".join(escaped(" ".join(paragraph.split())) for paragraph in text.split("\n\n"))


def plain(node):
    return escaped(" ".join("".join(node.itertext()).split()))


def escaped(text):
    """Text that Markdown shows as it is, but for code in backticks."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(piece.replace("|", r"\|") if i % 2 else re.sub(r"([\\`*_{}\[\]<>#|$~])", r"\\\1", piece)
                   for i, piece in enumerate(pieces))


def code(text):
    text = re.sub(r"\s+", " ", text).replace("< ", "<").replace(" >", ">").strip()
    return re.sub(r"(?<=[0-9a-f]) '(?=[0-9a-f])", "'", text)  # digits that Doxygen takes for two words


def declaration_of(member):
    """One member as it stands in the header, nearly."""
    kind = member.get("kind")
    definition = "".join(member.find("definition").itertext()) if member.find("definition") is not None else ""
    name = member.findtext("name", "")
    parameters = member.find("templateparamlist")
    template = ""
    if parameters is not None:
        names = [" ".join(filter(None, ["".join(p.find("type").itertext()), p.findtext("declname")]))
                 for p in parameters.findall("param")]
        template = f"template <{', '.join(names)}>\n"
    if kind == "function":
        return template + code(definition + "".join(member.find("argsstring").itertext()))
    if kind == "enum":
        values = ", ".join(value.findtext("name", "") for value in member.findall("enumvalue"))
        name = "" if name.startswith("@") else name
        word = "enum class" if member.get("strong") == "yes" else "enum"
        return code(f"{word} {name}") + f" {{ {values} }}"
    if kind == "variable":
        initial = member.find("initializer")
        return template + code(definition + (" " + "".join(initial.itertext()) if initial is not None else ""))
    if kind == "define":
        return f"#define {name}"
    return template + code(definition or name)


def documented_members(compound):
    """Members to show, each once, in the order of the header. Doxygen names copies of private ones otherwise."""
    for section in compound.findall("sectiondef"):
        if section.get("kind", "").startswith("private"):
            continue
        for member in section.findall("memberdef"):
            if member.get("kind") in ("function", "enum", "variable", "typedef", "define"):
                yield member


def member_text(member):
    what = "\n\n".join(filter(None, (text_of(member.find("briefdescription")), text_of(member.find("detaileddescription")))))
    for value in member.findall("enumvalue"):
        said = " ".join(filter(None, (text_of(value.find("briefdescription")), text_of(value.find("detaileddescription")))))
        if said:
            what += f"\n\n- `{value.findtext('name')}`: {said}"
    return f"```cpp\n{declaration_of(member)}\n```\n\n{what}\n"


def class_text(compound):
    name = compound.findtext("compoundname")
    lines = [f"## {escaped(compound.get('kind').capitalize())} {escaped(name)}\n",
             text_of(compound.find("briefdescription")), text_of(compound.find("detaileddescription")), ""]
    fields = []
    others = []
    for member in documented_members(compound):
        said = text_of(member.find("briefdescription")) or text_of(member.find("detaileddescription"))
        if member.get("kind") == "variable" and "\n" not in said:
            initial = member.find("initializer")
            shown = code("".join(member.find("type").itertext()) + " " + member.findtext("name", ""))
            if initial is not None:
                shown += code(" " + "".join(initial.itertext())).replace("|", "\\|")
                shown = re.sub(r"(\w)([={])", r"\1 \2", shown, count=1)
            fields.append(f"| `{shown.replace('|', chr(92) + '|')}` | {said} |")
        else:
            others.append(member_text(member))
    if fields:
        lines += ["| member | |", "|---|---|", *fields, ""]
    return "\n".join(lines + others)


def page_of(path, header, classes):
    lines = [f"# {escaped(path)}\n", f"`#include <{path}>`\n"]
    lines.append(text_of(header.find("detaileddescription")) or text_of(header.find("briefdescription")))
    lines.append("")
    for inner in header.findall("innerclass"):
        compound = classes.get(inner.get("refid"))
        if compound is not None and inner.get("prot", "public") == "public":
            lines.append(class_text(compound))
    members = [member for member in documented_members(header) if not member.findtext("name", "").startswith("GRAZE_")]
    if members:
        lines.append("## Functions, types and constants\n")
        lines += [member_text(member) for member in members]
    return "\n".join(lines) + "\n"


def main():
    xml, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    compounds = {}
    for file in sorted(xml.glob("*.xml")):
        if file.name in ("index.xml", "Doxyfile.xml"):
            continue
        compound = ElementTree.parse(file).getroot().find("compounddef")
        if compound is not None:
            compounds[compound.get("id")] = compound
    # Functions of a namespace are listed in the file that declares them by reference alone.
    members = {member.get("id"): member for compound in compounds.values() for member in compound.iter("memberdef")}
    groups = {}
    for compound in compounds.values():
        if compound.get("kind") != "file":
            continue
        for section in compound.findall("sectiondef"):
            for reference in section.findall("member"):
                if reference.get("refid") in members:
                    section.append(members[reference.get("refid")])
        location = compound.find("location").get("file")
        path = re.sub(r"^.*?(?=graze[/.])", "", location)
        pieces = path.split("/")
        module = "c" if path.endswith(".h") else pieces[1] if len(pieces) == 3 else ""
        name = re.sub(r"[^a-z0-9]+", "_", path.lower())
        (out / f"{name}.md").write_text(page_of(path, compound, compounds))
        groups.setdefault(module, []).append(name)
    index = ["# C++ and C headers\n",
             "Made from the headers themselves. `graze/ccd.hpp`, `graze/mesh.hpp`, `graze/rigid.hpp` and `graze/slide.hpp` are what most programs include.\n"]
    for module, title in MODULES.items():
        if module in groups:
            index += [f"```{{toctree}}\n:caption: \"{title}\"\n:maxdepth: 1\n", *sorted(groups[module]), "```\n"]
    unknown = set(groups) - set(MODULES)
    if unknown:
        sys.exit(f"api_pages: no title for the modules {', '.join(sorted(unknown))}")
    (out / "index.md").write_text("\n".join(index))


main()
