// The app runs in Safari 16.4, Chrome 111 and Firefox 121. These tests fail for a feature that
// one of them lacks, unless the line before its use, or the line itself, has the comment
// "optional:" with what happens without it.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../../../assets/web/", import.meta.url);

// SCRIPT are features of JavaScript and of the interfaces of browsers: a pattern, its name, and
// the first versions that have it ("-" for none), from browser-compat-data 8.1.9 of MDN.
const SCRIPT = [
	[/\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/, "Set methods", "Safari 17, Chrome 122, Firefox 127"],
	[/\b(Object|Map)\.groupBy\(/, "groupBy", "Safari 17.4, Chrome 117, Firefox 119"],
	[/\bArray\.fromAsync\(/, "Array.fromAsync", "Safari 16.4, Chrome 121, Firefox 115"],
	[/\bPromise\.(withResolvers|try)\b/, "Promise.withResolvers and Promise.try", "Safari 17.4, Chrome 119, Firefox 121"],
	[/\.(values|keys|entries|matchAll)\(\w*\)\.(map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/, "iterator helpers", "Safari 18.4, Chrome 122, Firefox 131", (line) => /(Object|Array)\.(values|keys|entries)\(\w*\)\./.test(line) || /\b(this|view|outbox|queue|source)\.entries\(/.test(line)],
	[/\bIterator\.(from|concat|prototype)\b/, "Iterator", "Safari 18.4, Chrome 122, Firefox 131"],
	[/\bAbortSignal\.any\(/, "AbortSignal.any", "Safari 17.4, Chrome 116, Firefox 124"],
	[/\bURL\.(canParse|parse)\(/, "URL.canParse and URL.parse", "Safari 17 and 18, Chrome 120 and 126, Firefox 115 and 126"],
	[/\b(searchParams|URLSearchParams\([^)]*\)|parameters|params)\.size\b/, "URLSearchParams.size", "Safari 17, Chrome 113, Firefox 112"],
	[/\bResponse\.json\(/, "Response.json", "Safari 17, Chrome 105, Firefox 115"],
	[/\bfor await \(const \w+ of \w*(\.body|stream)/, "iteration of a ReadableStream", "Safari 27, Chrome 124, Firefox 110"],
	[/\brequestIdleCallback\(/, "requestIdleCallback", "Safari -, Chrome 47, Firefox 55"],
	[/\bscrollend\b/, "scrollend", "Safari 26.2, Chrome 114, Firefox 109"],
	[/\.checkVisibility\(/, "checkVisibility", "Safari 17.4, Chrome 105, Firefox 106"],
	[/\bstartViewTransition\b/, "view transitions", "Safari 18, Chrome 111, Firefox 144"],
	[/\b(showPopover|hidePopover|togglePopover|popovertarget|popover:)/, "popover", "Safari 17, Chrome 114, Firefox 125"],
	[/\b(closedby|closedBy|requestClose)\b/, "closing of dialogs", "Safari 18.4 and 27.3, Chrome 134, Firefox 139 and 141"],
	[/\b(moveBefore|setHTML|setHTMLUnsafe|getHTML)\(/, "moveBefore and setHTML", "Safari 18, Chrome 124, Firefox 123 at the earliest"],
	[/\bcaretPositionFromPoint\(/, "caretPositionFromPoint", "Safari 26.2, Chrome 128, Firefox 20"],
	[/\bgetCoalescedEvents\(/, "getCoalescedEvents", "Safari 18.2, Chrome 58, Firefox 59"],
	[/\bIntl\.(DurationFormat|Segmenter)\b/, "Intl.DurationFormat and Intl.Segmenter", "Safari 16.4 and 14.1, Chrome 129 and 87, Firefox 136 and 125"],
	[/\b(getWeekInfo|getHourCycles|getTextInfo|weekInfo|textInfo)\b/, "getWeekInfo", "Safari 17, Chrome 130, Firefox 153"],
	[/\b(parseCreationOptionsFromJSON|parseRequestOptionsFromJSON)\b|\bcredential\.toJSON\(/, "JSON of passkeys", "Safari 18.4, Chrome 129, Firefox 119"],
	[/\.(fromBase64|toBase64|fromHex|toHex)\(/, "bytes as base64", "Safari 18.2, Chrome 140, Firefox 133"],
	[/\bRegExp\.escape\(|\bError\.isError\(|\bMath\.(f16round|sumPrecise)\(/, "RegExp.escape, Error.isError", "Safari 18.2, Chrome 134, Firefox 129 at the earliest"],
	[/\bTemporal\./, "Temporal", "Safari 27.3, Chrome 144, Firefox 139"],
	[/\bnavigation\.(navigate|addEventListener)|\bEditContext\b|\bscheduler\.(yield|postTask)/, "navigation and scheduler", "Safari 26.2, Chrome 94, Firefox 142 at the earliest"],
	[/\bcookieStore\b|\bshowOpenFilePicker\b|\bnavigator\.(userAgentData|deviceMemory)\b/, "interfaces of Chrome", "Safari -, Chrome 111, Firefox -"],
	[/(?<=[=(,:!&|?]\s*|return )\/(?![/*])(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\[])+\/[dgimsuy]*v/, "flag v of regular expressions", "Safari 17, Chrome 112, Firefox 116"],
	[/\(\?[ims]+(-[ims]+)?:/, "modifiers in regular expressions", "Safari 26, Chrome 125, Firefox 132"],
	[/^import .* (with|assert) \{/, "attributes of imports", "Safari 17.2, Chrome 123, Firefox 138"],
	[/^import (defer|source) /, "deferred imports", "Safari -, Chrome -, Firefox -"],
	[/^\s*(await )?using \w+ =/, "using", "Safari 27.3, Chrome 134, Firefox 141"],
	[/type: "module"/, "service workers as modules", "Safari 15, Chrome 91, Firefox 147"],
];

// STYLE are features of style sheets, as in SCRIPT.
const STYLE = [
	[/(^|[{};,])\s*&/, "nested rules", "Safari 17.2, Chrome 120, Firefox 117"],
	[/(?<![\w-])light-dark\(/, "light-dark", "Safari 17.5, Chrome 123, Firefox 120"],
	[/@starting-style/, "@starting-style", "Safari 17.5, Chrome 117, Firefox 129"],
	[/@scope/, "@scope", "Safari 17.4, Chrome 118, Firefox 146"],
	[/@property/, "@property", "Safari 16.4, Chrome 85, Firefox 128"],
	[/@(position-try|view-transition|function|font-feature-values)/, "newer at-rules", "Safari 18, Chrome 111, Firefox 144"],
	[/:dir\(/, ":dir()", "Safari 16.4, Chrome 120, Firefox 49"],
	[/:(user-valid|user-invalid)/, ":user-valid", "Safari 16.5, Chrome 119, Firefox 88"],
	[/:(popover-open|open\b|state\(|has-slotted|autofill-)/, "newer pseudo-classes", "Safari 17, Chrome 114, Firefox 125"],
	[/::(details-content|highlight|scroll-|view-transition|picker|checkmark)/, "newer pseudo-elements", "Safari 18.4, Chrome 131, Firefox 143"],
	[/(?<![\w-])(anchor-name|position-anchor|position-area|inset-area|position-try)\s*:|(?<![\w-])anchor(-size)?\(/, "anchor positioning", "Safari 26, Chrome 125, Firefox 147"],
	[/(?<![\w-])(view-transition-name|field-sizing|interpolate-size|text-box(-\w+)?|reading-flow|corner-shape|zoom)\s*:/, "newer properties", "Safari 18, Chrome 111, Firefox 126 at the earliest"],
	[/(?<![\w-])(animation-timeline|scroll-timeline|view-timeline)(-\w+)?\s*:/, "animations by scrolling", "Safari 26, Chrome 115, Firefox 159"],
	[/allow-discrete|transition-behavior/, "transitions of display", "Safari 17.4, Chrome 117, Firefox 129"],
	[/(?<![\w-])content-visibility\s*:/, "content-visibility", "Safari 18, Chrome 85, Firefox 125"],
	[/grid-template-(rows|columns)\s*:\s*subgrid|:\s*subgrid/, "subgrid", "Safari 16, Chrome 117, Firefox 71"],
	[/(?<![\w-])(rgb|hsl|hwb|lab|lch|oklab|oklch|color)\(\s*from\b/, "relative colors", "Safari 18, Chrome 122, Firefox 128"],
	[/(?<![\w-])(round|mod|rem|abs|sign|if|sibling-index|random)\([^)]/, "newer functions", "Safari 15.4, Chrome 125, Firefox 118"],
	[/(?<![\w-])linear\(/, "linear() easing", "Safari 17.2, Chrome 113, Firefox 112"],
	[/\d(rcap|rex|ric|rch)\b/, "units of the root", "Safari 17.2, Chrome 118, Firefox 147"],
	[/\dcap\b/, "unit cap", "Safari 17.2, Chrome 118, Firefox 97"],
	[/@container[^{]*style\(/, "style queries", "Safari 18, Chrome 111, Firefox 151"],
	[/@container[^{]*scroll-state\(/, "scroll-state queries", "Safari -, Chrome 133, Firefox -"],
	[/(?<![\w-])(white-space-collapse|text-wrap-style|text-wrap-mode)\s*:|text-wrap\s*:\s*(?!balance)\w/, "text-wrap other than balance, which is ignored where it is missing", "Safari 17.4, Chrome 114, Firefox 124"],
	[/(?<![\w-])mask(-\w+)?\s*:/, "mask without prefix", "Safari 15.4, Chrome 120, Firefox 53"],
];

// PREFIXED are properties that need a second declaration.
const PREFIXED = [["backdrop-filter", "-webkit-backdrop-filter", "Safari 18"], ["user-select", "-webkit-user-select", "Safari 27.3"], ["print-color-adjust", "-webkit-print-color-adjust", "Chrome 136"]];

function files(ending) {
	return readdirSync(ROOT, { recursive: true }).filter((name) => name.endsWith(ending)).map((name) => ({ name, lines: readFileSync(new URL(name, ROOT), "utf8").split("\n") }));
}

// withoutComments removes comments, line by line.
function withoutComments(line, ending) {
	return ending === ".css" ? line.replace(/\/\*.*?\*\//g, "").replace(/^\s*\*.*/, "") : line.replace(/(^|\s)\/\/ .*$/, "");
}

function found(ending, features) {
	const all = files(ending);
	assert.ok(all.length > 10, "the files are found");
	const problems = [];
	for (const { name, lines } of all) {
		for (const [i, line] of lines.entries()) {
			if (`${lines[i - 1] ?? ""}${line}`.includes("optional:")) continue;
			const code = withoutComments(line, ending);
			for (const [pattern, feature, versions, permitted] of features) {
				if (pattern.test(code) && !permitted?.(code)) problems.push(`${name}:${i + 1}: ${feature} needs ${versions}`);
			}
		}
	}
	return problems;
}

test("scripts use only what the oldest browsers have", () => {
	assert.deepEqual(found(".js", SCRIPT), []);
});

test("style sheets use only what the oldest browsers have", () => {
	assert.deepEqual(found(".css", STYLE), []);
});

test("no rule is inside another rule", () => {
	const problems = [];
	for (const { name, lines } of files(".css")) {
		const open = []; // the selectors and at-rules around the present position
		for (const [, prelude, brace] of lines.join("\n").replace(/\/\*[^]*?\*\//g, "").matchAll(/([^{};]*)([{};])/g)) {
			if (brace === "}") open.pop();
			if (brace !== "{") continue;
			if (open.length > 0 && !open.at(-1).startsWith("@")) problems.push(`${name}: ${prelude.trim()} is inside ${open.at(-1)}`);
			open.push(prelude.trim());
		}
	}
	assert.deepEqual(problems, []);
});

test("properties with a prefix in one of the browsers have both names", () => {
	const problems = [];
	for (const { name, lines } of files(".css")) {
		const rules = lines.join("\n").match(/\{[^{}]*\}/g) ?? [];
		for (const rule of rules) {
			for (const [property, prefixed, versions] of PREFIXED) {
				if (new RegExp(`(?<![\\w-])${property}\\s*:`).test(rule) && !rule.includes(`${prefixed}:`)) problems.push(`${name}: ${property} without prefix needs ${versions}: ${rule.slice(0, 80)}`);
			}
		}
	}
	assert.deepEqual(problems, []);
});

test("a backdrop has the colors it uses", () => {
	const tokens = readFileSync(new URL("tokens.css", ROOT), "utf8");
	const blocks = [...tokens.matchAll(/([^{}]*)\{([^{}]*)\}/g)].filter(([, , body]) => body.includes("--scrim:"));
	assert.equal(blocks.length, 3);
	for (const [, selector] of blocks) assert.match(selector, /::backdrop/, "Chrome before 122 and Safari before 17.4 do not inherit them");
});

test("each pattern finds its feature", () => {
	const samples = [
		[SCRIPT, "a.union(b)"], [SCRIPT, "Object.groupBy(list, f)"], [SCRIPT, "map.values().map(f)"], [SCRIPT, "AbortSignal.any([a])"], [SCRIPT, "URL.canParse(x)"],
		[SCRIPT, "requestIdleCallback(f)"], [SCRIPT, "const x = /[a--b]/v;"], [SCRIPT, 'import a from "./a.json" with { type: "json" };'], [STYLE, "\t& .b { color: red; }"],
		[STYLE, "color: light-dark(red, blue);"], [STYLE, "background: rgb(from red r g b);"], [STYLE, "text-wrap: pretty;"], [STYLE, "anchor-name: --a;"],
	];
	for (const [features, sample] of samples) assert.ok(features.some(([pattern]) => pattern.test(sample)), sample);
	for (const sample of ["Object.values(a).map(f)", "text-wrap: balance;"]) {
		const features = sample.includes("(") ? SCRIPT : STYLE;
		assert.ok(!features.some(([pattern, , , permitted]) => pattern.test(sample) && !permitted?.(sample)), sample);
	}
});
