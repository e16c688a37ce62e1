// A stand-in for the DOM of a browser, for the tests of modules that create elements. It has no layout, no style
// sheets and no parser. Selectors may consist of tags, #ids, .classes and [attributes], combined by spaces and commas.

// matches reports whether a node matches a selector without commas.
function matchesOne(node, selector) {
	const compounds = selector.trim().split(/\s+/);
	const [, tag, rest] = /^([a-z0-9]*)(.*)$/i.exec(compounds.pop());
	if (tag && node.localName !== tag.toLowerCase()) return false;
	for (const [, sign, name, operator, value] of rest.matchAll(/([#.[])([\w-]+)(?:([~^]?=)"?([^\]"]*)"?)?\]?/g)) {
		if (sign === "#" && node.getAttribute("id") !== name) return false;
		if (sign === "." && !node.classList.contains(name)) return false;
		if (sign === "[" && !node.hasAttribute(name)) return false;
		if (operator === "=" && node.getAttribute(name) !== value) return false;
		if (operator === "^=" && !node.getAttribute(name).startsWith(value)) return false;
	}
	if (compounds.length === 0) return true;
	for (let parent = node.parentNode; parent?.localName; parent = parent.parentNode) if (matchesOne(parent, compounds.join(" "))) return true;
	return false;
}

// Target calls listeners, also those of the ancestors of a node.
class Target {
	#listeners = [];
	parentNode = null;

	addEventListener(type, listener, { signal, once = false } = {}) {
		this.#listeners.push({ type, listener, once, signal });
	}

	removeEventListener(type, listener) {
		this.#listeners = this.#listeners.filter((entry) => entry.type !== type || entry.listener !== listener);
	}

	// dispatchEvent dispatches an Event or an object with a type, and reports whether no listener has called preventDefault.
	dispatchEvent({ type, ...fields }) {
		let isStopped = false;
		const event = {
			type, defaultPrevented: false, target: this, button: 0, detail: 0, timeStamp: Date.now(), ...fields,
			preventDefault() { this.defaultPrevented = true; }, stopPropagation: () => (isStopped = true),
		};
		for (let target = this; target && !isStopped; target = target.parentNode) target.call(event);
		return !event.defaultPrevented;
	}

	call(event) {
		for (const entry of this.#listeners.filter(({ type, signal }) => type === event.type && !signal?.aborted)) {
			if (entry.once) this.removeEventListener(entry.type, entry.listener);
			entry.listener(event);
		}
	}
}

class Node extends Target {
	childNodes = [];

	get firstChild() { return this.childNodes[0] ?? null; }
	get lastChild() { return this.childNodes.at(-1) ?? null; }
	get nextSibling() { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null; }
	get isConnected() { return this === globalThis.document || Boolean(this.parentNode?.isConnected); }
	get textContent() { return this.childNodes.map((child) => child.textContent).join(""); }
	set textContent(text) { this.replaceChildren(...(text === "" ? [] : [text])); }

	insertBefore(node, before) {
		node.remove();
		this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, node);
		node.parentNode = this;
		return node;
	}

	append(...nodes) { for (const node of nodes) this.insertBefore(nodeOf(node), null); }
	prepend(...nodes) { for (const node of nodes.reverse()) this.insertBefore(nodeOf(node), this.firstChild); }

	remove() {
		if (!this.parentNode) return;
		const { activeElement } = globalThis.document;
		if (activeElement && this.contains(activeElement)) globalThis.document.activeElement = globalThis.document.body;
		this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1);
		this.parentNode = null;
	}

	replaceWith(node) {
		this.parentNode.insertBefore(node, this);
		this.remove();
	}

	replaceChildren(...nodes) {
		for (const child of [...this.childNodes]) child.remove();
		this.append(...nodes);
	}

	contains(node) {
		for (let other = node; other; other = other.parentNode) if (other === this) return true;
		return false;
	}
}

class Text extends Node {
	constructor(text) {
		super();
		this.data = String(text);
	}

	get textContent() { return this.data; }
}

const nodeOf = (value) => (typeof value === "object" ? value : new Text(value));

class Element extends Node {
	#attributes = new Map();
	hidden = false;
	style = { setProperty: (name, value) => (this.style[name] = value), removeProperty: (name) => delete this.style[name] };
	dataset = new Proxy({}, {
		get: (_, name) => this.getAttribute(dataName(name)) ?? undefined,
		set: (_, name, value) => (this.setAttribute(dataName(name), value), true),
		has: (_, name) => this.hasAttribute(dataName(name)),
	});
	classList = {
		list: () => this.className.split(/\s+/).filter(Boolean),
		contains: (name) => this.classList.list().includes(name),
		add: (name) => this.classList.toggle(name, true),
		remove: (name) => this.classList.toggle(name, false),
		toggle: (name, on = !this.classList.contains(name)) => {
			this.className = [...this.classList.list().filter((other) => other !== name), ...(on ? [name] : [])].join(" ");
		},
	};
	offsetWidth = 0;
	offsetHeight = 0;
	scrollTop = 0;
	scrollLeft = 0;

	constructor(name) {
		super();
		this.localName = name.toLowerCase();
		this.tagName = name.toUpperCase();
		if (["input", "select", "textarea"].includes(name)) this.value = "";
	}

	get className() { return this.getAttribute("class") ?? ""; }
	set className(text) { this.setAttribute("class", text); }
	get id() { return this.getAttribute("id") ?? ""; }
	set id(id) { this.setAttribute("id", id); }
	get children() { return this.childNodes.filter((child) => child instanceof Element); }
	get childElementCount() { return this.children.length; }
	getAttribute(name) { return this.#attributes.get(name) ?? null; }
	hasAttribute(name) { return this.#attributes.has(name); }
	setAttribute(name, value) { this.#attributes.set(name, String(value)); }
	removeAttribute(name) { this.#attributes.delete(name); }
	toggleAttribute(name, on) { on ? this.setAttribute(name, "") : this.removeAttribute(name); }
	matches(selector) { return selector.split(",").some((part) => matchesOne(this, part)); }
	closest(selector) { return this.matches(selector) ? this : this.parentNode?.closest?.(selector) ?? null; }
	querySelectorAll(selector) {
		return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]);
	}

	querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
	getBoundingClientRect() { return { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 }; }
	setPointerCapture() {}
	hasPointerCapture() { return false; }
	click() { this.dispatchEvent({ type: "click" }); }

	// showModal and close are those of a dialog.
	showModal() { this.open = true; }

	close() {
		this.open = false;
		this.dispatchEvent({ type: "close" });
	}

	focus() {
		globalThis.document.activeElement = this;
		this.call({ type: "focus", target: this });
		this.dispatchEvent({ type: "focusin" });
	}
}

const dataName = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

// useDOM sets the globals of a new page, and returns its document. document.frame(time) draws an animation frame.
export function useDOM() {
	const document = new Element("#document");
	const documentElement = new Element("html");
	let frames = [];
	Object.assign(document, {
		documentElement, body: new Element("body"), head: new Element("head"), hidden: false, activeElement: null,
		createElement: (name) => new Element(name), createElementNS: (_, name) => new Element(name),
		frame: (time) => frames.splice(0).forEach(({ run }) => run(time)),
	});
	const observer = class {
		observe() {}
		disconnect() {}
	};
	const globals = {
		document, devicePixelRatio: 1, Element, innerHeight: 600, ResizeObserver: observer, MutationObserver: observer,
		getComputedStyle: () => ({ direction: "ltr", fontSize: "16px" }),
		matchMedia: () => Object.assign(new Target(), { matches: false }),
		requestAnimationFrame: (run) => frames.push({ run }),
		cancelAnimationFrame: () => (frames = []),
		addEventListener: (...args) => window.addEventListener(...args),
		removeEventListener: (...args) => window.removeEventListener(...args),
	};
	const window = Object.assign(new Target(), globals);
	delete window.addEventListener;
	delete window.removeEventListener;
	globals.window = window;
	for (const [name, value] of Object.entries(globals)) {
		Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
	}
	document.append(documentElement);
	documentElement.append(document.head, document.body);
	return document;
}
