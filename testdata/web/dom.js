// A stand-in for the DOM of a page, with what the modules of the app use. It has no layout: all boxes and
// scroll positions are 0 unless a test sets them.

import { afterEach } from "node:test";

const replaced = new Map(); // name of a global → its property descriptor before openPage, or undefined

const ends = []; // functions of atEnd

// atEnd calls a function at the end of the test, before the globals of openPage end.
export function atEnd(run) {
	ends.push(run);
}

// One process may run the tests of all modules, so the globals end with the test.
afterEach(() => {
	for (const run of ends.splice(0).reverse()) run();
	for (const [name, descriptor] of replaced) {
		if (descriptor) Object.defineProperty(globalThis, name, descriptor);
		else delete globalThis[name];
	}
	replaced.clear();
});

// openPage installs the globals of an empty page until the end of the test, and returns its document. Option:
// isPhone, whether the window is as narrow as that of a phone.
export function openPage({ isPhone = false } = {}) {
	const document = new Document();
	const noop = () => {};
	class Observer { observe() {} disconnect() {} unobserve() {} }
	const storage = () => {
		const items = new Map();
		return {
			getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, String(value)),
			removeItem: (key) => items.delete(key), clear: () => items.clear(),
		};
	};
	const globals = {
		document, window: document, Node, Element, HTMLElement: Element, Event: PageEvent, localStorage: storage(), sessionStorage: storage(),
		ResizeObserver: Observer, IntersectionObserver: Observer, MutationObserver: Observer,
		scrollTo: noop, scrollY: 0, innerHeight: 0, innerWidth: 0, devicePixelRatio: 1, location: { hostname: "localhost" },
		matchMedia: (query) => ({ matches: isPhone && query.includes("47.99rem"), addEventListener: noop, removeEventListener: noop }),
		getComputedStyle: () => ({ direction: "ltr", overflowY: "visible", getPropertyValue: () => "" }), getSelection: () => null,
		requestAnimationFrame: (run) => setTimeout(() => globalThis.document === document && run()), // not after the end of the test
		cancelAnimationFrame: clearTimeout, CSS: { escape: (text) => text },
		addEventListener: (...list) => document.addEventListener(...list),
		removeEventListener: (...list) => document.removeEventListener(...list),
	};
	for (const [name, value] of Object.entries(globals)) {
		if (!replaced.has(name)) replaced.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
		Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
	}
	return document;
}

// PageEvent is an event. Its init may have any members of the types of events, such as key or detail.
export class PageEvent {
	defaultPrevented = false;
	isStopped = false;

	constructor(type, { bubbles = false, ...init } = {}) {
		Object.assign(this, { type, bubbles, timeStamp: 0, detail: 0, ...init });
	}

	preventDefault() { this.defaultPrevented = true; }
	stopPropagation() { this.isStopped = true; }
}

// Node is a text, or the base class of elements and the document.
class Node {
	static TEXT_NODE = 3;
	parentNode = null;
	childNodes = [];
	#listeners = [];

	constructor(text = "") { this.data = text; }
	get nodeType() { return Node.TEXT_NODE; }
	get parentElement() { return this.parentNode instanceof Element ? this.parentNode : null; }
	get firstChild() { return this.childNodes[0] ?? null; }
	get lastChild() { return this.childNodes.at(-1) ?? null; }
	get nextSibling() { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null; }
	get isConnected() { return this === document || Boolean(this.parentNode?.isConnected); }
	get textContent() { return this instanceof Element ? this.childNodes.map((node) => node.textContent).join("") : this.data; }
	set textContent(text) { this.replaceChildren(...(text === "" ? [] : [String(text)])); }

	contains(other) { return other === this || Boolean(other?.parentNode && this.contains(other.parentNode)); }

	remove() {
		if (!this.parentNode) return;
		const hadFocus = this.contains(document.activeElement);
		this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1);
		this.parentNode = null;
		if (hadFocus) document.activeElement = document.body;
	}

	insertBefore(node, before) {
		const child = node instanceof Node ? node : new Node(String(node));
		child.remove();
		this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, child);
		child.parentNode = this;
		return child;
	}

	append(...nodes) { for (const node of nodes) this.insertBefore(node, null); }
	prepend(...nodes) { for (const node of nodes.reverse()) this.insertBefore(node, this.firstChild); }
	before(...nodes) { for (const node of nodes) this.parentNode.insertBefore(node, this); }
	after(...nodes) { for (const node of nodes.reverse()) this.parentNode.insertBefore(node, this.nextSibling); }
	replaceWith(...nodes) { this.before(...nodes); this.remove(); }

	replaceChildren(...nodes) {
		for (const node of [...this.childNodes]) node.remove();
		this.append(...nodes);
	}

	addEventListener(type, listener, options) {
		const { signal, once = false } = typeof options === "object" && options ? options : {};
		if (signal?.aborted) return;
		const entry = { type, listener, once };
		this.#listeners.push(entry);
		signal?.addEventListener("abort", () => this.#listeners.splice(this.#listeners.indexOf(entry), 1));
	}

	removeEventListener(type, listener) {
		this.#listeners = this.#listeners.filter((entry) => entry.type !== type || entry.listener !== listener);
	}

	// listenerCount returns the number of listeners for a type of events.
	listenerCount(type) { return this.#listeners.filter((entry) => entry.type === type).length; }

	dispatchEvent(event) {
		event.target ??= this;
		for (let node = this; node; node = event.bubbles && !event.isStopped ? node.parentNode : null) node.handle(event);
		return !event.defaultPrevented;
	}

	// handle calls the listeners of this node for an event.
	handle(event) {
		event.currentTarget = this;
		for (const { type, listener, once } of [...this.#listeners]) {
			if (type !== event.type) continue;
			if (once) this.removeEventListener(type, listener);
			listener(event);
		}
	}
}

// Element is an element. Properties such as value and checked are plain members.
class Element extends Node {
	#attributes = new Map();
	value = "";
	hidden = false;
	disabled = false;
	checked = false;
	scrollTop = 0;
	scrollLeft = 0;
	scrollHeight = 0;
	clientHeight = 0;
	offsetHeight = 0;
	selectionStart = 0;

	constructor(tag) {
		super();
		this.tagName = tag.toUpperCase();
		const properties = new Map();
		this.style = {
			getPropertyValue: (name) => properties.get(name) ?? "", setProperty: (name, value) => properties.set(name, String(value)),
			removeProperty: (name) => properties.delete(name),
		};
		const key = (name) => `data-${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
		this.dataset = new Proxy({}, {
			get: (_, name) => this.getAttribute(key(name)) ?? undefined, set: (_, name, value) => (this.setAttribute(key(name), value), true),
			has: (_, name) => this.hasAttribute(key(name)), deleteProperty: (_, name) => (this.removeAttribute(key(name)), true),
		});
		const classes = () => new Set(this.className.split(/\s+/).filter(Boolean));
		const write = (set) => (this.className = [...set].join(" "));
		this.classList = {
			contains: (name) => classes().has(name), add: (...names) => write(new Set([...classes(), ...names])),
			remove: (...names) => write([...classes()].filter((name) => !names.includes(name))),
			toggle: (name, on = !classes().has(name)) => (on ? this.classList.add(name) : this.classList.remove(name)),
		};
	}

	get nodeType() { return 1; }
	get children() { return this.childNodes.filter((node) => node instanceof Element); }
	get childElementCount() { return this.children.length; }
	get className() { return this.getAttribute("class") ?? ""; }
	set className(value) { this.setAttribute("class", value); }
	get id() { return this.getAttribute("id") ?? ""; }
	set id(value) { this.setAttribute("id", value); }
	get href() { return this.getAttribute("href") ?? ""; }
	get tabIndex() { return Number(this.getAttribute("tabindex") ?? -1); }
	set tabIndex(value) { this.setAttribute("tabindex", value); }
	get offsetParent() { return this.isConnected ? this.parentNode : null; }

	getAttribute(name) { return this.#attributes.get(name) ?? null; }
	hasAttribute(name) { return this.#attributes.has(name); }
	setAttribute(name, value) { this.#attributes.set(name, String(value)); }
	setAttributeNS(_, name, value) { this.setAttribute(name, value); }
	removeAttribute(name) { this.#attributes.delete(name); }
	toggleAttribute(name, on = !this.hasAttribute(name)) { if (on) this.setAttribute(name, ""); else this.removeAttribute(name); }

	matches(selectors) { return selectors.split(",").some((selector) => matchesPath(this, selector.trim().split(/\s+/))); }
	closest(selectors) { return this.matches(selectors) ? this : this.parentElement?.closest(selectors) ?? null; }
	querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }

	querySelectorAll(selectors) {
		const direct = /^:scope > (.*)$/.exec(selectors);
		if (direct) return this.children.filter((node) => node.matches(direct[1]));
		return this.children.flatMap((node) => [...(node.matches(selectors) ? [node] : []), ...node.querySelectorAll(selectors)]);
	}

	focus() {
		const before = document.activeElement;
		if (before === this || !this.isConnected || this.disabled) return;
		document.activeElement = this;
		if (before !== document.body) {
			before.dispatchEvent(new PageEvent("blur", { relatedTarget: this }));
			before.dispatchEvent(new PageEvent("focusout", { bubbles: true, relatedTarget: this }));
		}
		this.dispatchEvent(new PageEvent("focus", { relatedTarget: before }));
		this.dispatchEvent(new PageEvent("focusin", { bubbles: true, relatedTarget: before }));
	}

	blur() { if (document.activeElement === this) document.body.focus(); }
	click() { this.dispatchEvent(new PageEvent("click", { bubbles: true, detail: 1 })); }

	// press dispatches the keydown event of a key, and returns it.
	press(key, init = {}) {
		const event = new PageEvent("keydown", { bubbles: true, key, ...init });
		this.dispatchEvent(event);
		return event;
	}

	// type sets the text of a field, and dispatches its input event.
	type(text) {
		this.value = text;
		this.selectionStart = text.length;
		this.dispatchEvent(new PageEvent("input", { bubbles: true }));
	}

	// tick changes the state of a checkbox as a click does.
	tick() {
		this.checked = !this.checked;
		this.dispatchEvent(new PageEvent("change", { bubbles: true }));
	}

	requestSubmit() { this.dispatchEvent(new PageEvent("submit", { bubbles: true })); }
	showModal() { this.setAttribute("open", ""); this.open = true; }

	close() {
		this.removeAttribute("open");
		this.open = false;
		this.dispatchEvent(new PageEvent("close"));
	}

	getBoundingClientRect() { return { top: 0, bottom: 0, left: 0, right: 0, width: 0, height: 0 }; }
	scrollTo() {}
	scrollIntoView() {}
	select() {}
	setSelectionRange(start) { this.selectionStart = start; }
	setPointerCapture() {}
	hasPointerCapture() { return false; }
}

// matchesPath reports whether an element matches a list of compound selectors, each of which is that of an
// ancestor of the next one.
function matchesPath(node, path) {
	const selector = path.at(-1);
	const others = path.slice(0, -1);
	if (!matchesOne(node, selector)) return false;
	if (others.length === 0) return true;
	for (let other = node.parentElement; other; other = other.parentElement) if (matchesPath(other, others)) return true;
	return false;
}

// matchesOne reports whether an element matches a compound selector of a tag, classes, an id and attributes.
function matchesOne(node, selector) {
	const parts = selector.match(/^[a-z][a-z0-9]*|\.[\w-]+|#[\w-]+|\[[^\]]+\]/gi) ?? [];
	if (parts.join("") !== selector) throw new Error(`The selector ${selector} is not supported`);
	return parts.every((part) => {
		if (part[0] === ".") return node.classList.contains(part.slice(1));
		if (part[0] === "#") return node.id === part.slice(1);
		if (part[0] !== "[") return node.tagName === part.toUpperCase();
		const [, name, operator, value] = /^\[([\w-]+)(?:([\^]?=)["']?([^"']*)["']?)?\]$/.exec(part);
		const own = name === "open" || name === "disabled" ? (node[name] ? "" : null) : node.getAttribute(name);
		if (own === null) return false;
		return !operator || (operator === "=" ? own === value : own.startsWith(value));
	});
}

class Document extends Element {
	hidden = false;
	activeElement = null;
	hasFocus = () => true;

	constructor() {
		super("#document");
		this.documentElement = new Element("html");
		this.body = new Element("body");
		this.activeElement = this.body;
		this.scrollingElement = this.documentElement;
		this.append(this.documentElement);
		this.documentElement.append(this.body);
	}

	get isConnected() { return true; }
	createElement(tag) { return new Element(tag); }
	createElementNS(_, tag) { return new Element(tag); }
	createTextNode(text) { return new Node(text); }
}

// later returns a promise that is resolved after the pending promises and timers without a delay.
export function later(milliseconds = 0) {
	return new Promise((done) => setTimeout(done, milliseconds));
}
