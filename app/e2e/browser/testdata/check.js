// Returns the problems of the page as it is displayed now, as a list of texts.
(dark) => {
	const problems = [];
	for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish(); // transitions to the dark colors
	const root = document.documentElement;
	const name = (e) => e.tagName.toLowerCase() + (e.className.baseVal ?? e.className ? "." + (e.className.baseVal ?? e.className) : "");

	if (root.scrollWidth > innerWidth) {
		const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth);
		problems.push(`the page is ${root.scrollWidth} pixels wide, want at most ${innerWidth}: ${wide.map(name).slice(0, 5)}`);
	}

	// Colors as [red, green, blue, alpha]; the first three are 0 to 255.
	const parse = (color) => {
		const n = color.match(/[\d.]+/g).map(Number);
		if (color.startsWith("color(srgb ")) return [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1];
		if (!color.startsWith("rgb")) throw new Error(`color ${color} has an unknown form`);
		return [n[0], n[1], n[2], n[3] ?? 1];
	};
	const over = (top, bottom) => [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
	const background = (e) => {
		if (!e) return dark ? [18, 18, 18, 1] : [255, 255, 255, 1]; // the canvas of Chromium
		const own = parse(getComputedStyle(e).backgroundColor);
		return own[3] === 1 ? own : over(own, background(e.parentElement));
	};
	// Relative luminance and contrast ratio (WCAG 2.2).
	const luminance = (c) => {
		const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => {
		const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
		return (high + 0.05) / (low + 0.05);
	};
	const checkText = (e, style, text) => {
		const ground = background(e);
		const ratio = contrast(over(parse(style.color), ground), ground);
		if (ratio < 4.5) problems.push(`contrast of “${text.slice(0, 40)}” in ${name(e)} is ${ratio.toFixed(2)}, want at least 4.5`);
	};
	const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });

	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let seen = 0;
	while (texts.nextNode()) {
		const text = texts.currentNode.data.trim();
		const e = texts.currentNode.parentElement;
		if (!text || !visible(e) || ["OPTION", "NOSCRIPT"].includes(e.tagName)) continue;
		seen++;
		checkText(e, getComputedStyle(e), text);
	}
	for (const e of document.querySelectorAll("input:not([type=hidden]), select")) {
		if (!visible(e)) continue;
		if (!e.labels.length && !e.ariaLabel) problems.push(`${name(e)} ${e.name} has no label`);
		if (["checkbox", "radio"].includes(e.type)) continue; // their labels are the touch targets
		checkText(e, getComputedStyle(e), e.value || e.name);
		if (e.placeholder) checkText(e, getComputedStyle(e, "::placeholder"), e.placeholder);
		if (innerWidth < 768 && e.getBoundingClientRect().height < 40) problems.push(`${name(e)} ${e.name} is too low for a finger`);
	}
	if (!seen) problems.push("the page is empty");

	const ground = luminance(background(document.body));
	if (dark ? ground > 0.05 : ground < 0.5) problems.push(`the luminance of the background is ${ground.toFixed(2)}, want it ${dark ? "dark" : "light"}`);
	if (document.querySelectorAll("h1").length !== 1 || !document.title || !root.lang) problems.push("the page needs a title, a language and one heading of the first level");
	return problems;
}
