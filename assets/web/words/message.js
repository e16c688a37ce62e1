// Formats the messages of a catalog, in a subset of the ICU message syntax:
//
//   {0}                                                 the first argument; a number in the format of the locale
//   {0, plural, =0 {none} one {# day} other {# days}}   the case of the exact number, or of its plural category;
//                                                       # is the number
//   {0, selectordinal, one {#st} other {#th}}           the same with the category of the ordinal number
//   {0, select, private {Private} other {Public}}       the case with the name of the argument
//
// Cases contain messages. Braces and, within plural cases, # cannot be quoted.

const ARGUMENT = /\{\s*(\d+)\s*(?:,\s*(plural|selectordinal|select)\s*,\s*|\})/y;
const CASE = /(=\d+|[\w.-]+)\s*\{/y;
const SPACE = /\s*/y;

// compileMessage returns a function that returns the text of a message for its arguments. Missing arguments are
// shown as empty texts. tools contains number(value), which formats a number, and plural(value) and ordinal(value),
// which return its plural categories.
export function compileMessage(message, tools) {
	if (!/[{}]/.test(message)) return () => message;
	const { parts } = parse(message, 0, null);
	return (...args) => join(parts, args, tools);
}

// parse parses a message from index at, to its end or, within a case, to a closing brace. outer is the index of the
// argument of the plural around it, null at the top, undefined within other cases. It returns the parts, which are
// texts and arguments, and the index of the end. Invalid syntax is text.
function parse(message, at, outer) {
	const parts = [];
	let text = "";
	while (at < message.length && !(message[at] === "}" && outer !== null)) {
		const header = message[at] === "{" ? match(ARGUMENT, message, at) : null;
		if (!header && !(message[at] === "#" && typeof outer === "number")) {
			text += message[at++];
			continue;
		}
		parts.push(text);
		text = "";
		if (!header) {
			parts.push({ index: outer });
			at++;
			continue;
		}
		const argument = { index: Number(header[1]), kind: header[2] };
		at += header[0].length;
		if (argument.kind) [argument.cases, at] = parseCases(message, at, argument.kind === "select" ? (outer ?? undefined) : argument.index);
		parts.push(argument);
	}
	parts.push(text);
	return { parts, at };
}

// parseCases parses the cases of an argument, and returns them as a Map, and the index after its closing brace.
function parseCases(message, at, outer) {
	const cases = new Map();
	for (;;) {
		at += match(SPACE, message, at)[0].length;
		const name = match(CASE, message, at);
		if (!name) return [cases, message[at] === "}" ? at + 1 : at];
		const { parts, at: end } = parse(message, at + name[0].length, outer);
		cases.set(name[1], parts);
		at = Math.min(end + 1, message.length);
	}
}

// match returns the match of a sticky expression at an index, or null.
function match(expression, text, at) {
	expression.lastIndex = at;
	return expression.exec(text);
}

function join(parts, args, tools) {
	return parts.map((part) => (typeof part === "string" ? part : textOf(part, args, tools))).join("");
}

function textOf({ index, kind, cases }, args, tools) {
	const value = args[index] ?? "";
	if (!kind) return typeof value === "number" ? tools.number(value) : String(value);
	const category = { plural: tools.plural, selectordinal: tools.ordinal }[kind];
	const chosen = category ? cases.get(`=${value}`) ?? cases.get(category(Number(value))) : cases.get(String(value));
	return join(chosen ?? cases.get("other") ?? [], args, tools);
}
