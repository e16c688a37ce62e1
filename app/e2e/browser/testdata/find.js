// Returns the visible element of a kind with a name, or null. The name is the visible
// text of the label of a field, or of a button, link or summary. If heading is
// not empty, the element is below the heading with this text.
(heading, kind, name) => {
	const text = (node) => node.textContent.replace(/\s+/g, " ").trim();
	const title = [...document.querySelectorAll("h2")].find((h) => text(h) === heading);
	const scope = heading ? title?.closest("section") : document;
	const all = (selector) => [...(scope?.querySelectorAll(selector) ?? [])];
	const fieldName = (label) => text(label.firstChild);
	const matches = {
		field: () => all("label").filter((l) => fieldName(l) === name).map((l) => l.control),
		button: () => all("button").filter((b) => (b.ariaLabel ?? text(b)) === name),
		link: () => all("a").filter((a) => text(a) === name),
		summary: () => all("summary").filter((s) => text(s).startsWith(name)),
	}[kind]();
	return matches.find((e) => e?.checkVisibility({ visibilityProperty: true })) ?? null;
}
