// Returns the texts of the page that are not between the marks ⟦ and ⟧, and those that are cut, as {kind, text, at}.
() => {
	const found = [];
	const LETTER = /\p{L}/u;
	const visible = (e) => e.checkVisibility({ visibilityProperty: true });
	const nameOf = (e) => {
		const names = [];
		for (let at = e; at && names.length < 3; at = at.parentElement) {
			const classes = at.getAttribute("class");
			names.unshift(at.localName + (classes ? `.${classes.trim().replace(/\s+/g, ".")}` : ""));
		}
		return names.join(" > ");
	};
	const add = (kind, text, e) => found.push({ kind, text: text.replace(/\s+/g, " ").trim(), at: nameOf(e) });

	// withoutMarked returns a text without the parts between marks, of which inner ones belong to arguments.
	const withoutMarked = (text) => {
		for (let before = ""; before !== text;) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/g, "")];
		return text;
	};

	// addUnmarked adds what is left of a text, if that has letters.
	const addUnmarked = (text, e, kind = "text") => {
		const rest = withoutMarked(text);
		if (LETTER.test(rest)) add(kind, rest, e);
	};

	// A text is that of a block: inline elements are parts of its sentences.
	const blocks = new Map();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		let e = walker.currentNode.parentElement;
		if (e.closest("script, style, noscript, option, textarea, template") || !visible(e)) continue;
		while (["inline", "contents"].includes(getComputedStyle(e).display) && e.parentElement) e = e.parentElement;
		blocks.set(e, (blocks.get(e) ?? "") + walker.currentNode.data);
	}
	for (const [e, text] of blocks) addUnmarked(text, e);
	for (const select of document.querySelectorAll("select")) if (visible(select)) for (const { text } of select.options) addUnmarked(text, select, "option");
	for (const e of document.querySelectorAll("*")) {
		if (!visible(e)) continue;
		for (const name of ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"]) {
			if (e.hasAttribute(name)) addUnmarked(e.getAttribute(name), e, name);
		}
		if (e.matches("input[type=submit], input[type=button]")) addUnmarked(e.value, e, "value");
	}
	addUnmarked(document.title, document.head, "title of the page");

	// exceeds reports whether a text in e extends over the left or the right edge of e.
	const exceeds = (e) => {
		const box = e.getBoundingClientRect();
		const range = document.createRange();
		const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			if (!texts.currentNode.data.trim() || !visible(texts.currentNode.parentElement)) continue;
			range.selectNodeContents(texts.currentNode);
			const { left, right, width } = range.getBoundingClientRect();
			if (width > 2 && !texts.currentNode.parentElement.closest(".sr") && (left < box.left - 1 || right > box.right + 1)) return true;
		}
		return false;
	};
	// Elements of at most two pixels are for screen readers only. A text of the program, which begins with a mark, is
	// not cut by an ellipsis either, and does not leave its button.
	for (const e of document.body.querySelectorAll("*")) {
		if (e.scrollWidth <= e.clientWidth + 1 || e.clientWidth <= 2 || e.closest("[title]") || !e.textContent.trim() || !visible(e)) continue;
		const style = getComputedStyle(e);
		const isHidden = ["hidden", "clip"].includes(style.overflowX);
		const isOwn = e.textContent.includes("⟦") && !LETTER.test(withoutMarked(e.textContent)) && !e.matches(".row-sub"); // a preview
		const isCut = isHidden ? style.textOverflow !== "ellipsis" || isOwn : style.overflowX === "visible" && e.matches("button, a, label");
		if (isCut && exceeds(e)) add("cut", e.textContent.slice(0, 60), e);
	}
	if (document.documentElement.scrollWidth > innerWidth) add("cut", `the page is ${document.documentElement.scrollWidth} pixels wide`, document.body);
	return found;
}
