// The sheet over the map of a phone: it has three heights.

import { button } from "../parts/el.js";

const SIZES = ["low", "half", "full"];

// Sheet gives an element a grip: a button that changes its height. The grip can be dragged, and
// takes the arrow keys. Wider screens show the element without a grip. changed is called after
// each change of the height.
export class Sheet {
	#from = null; // of a drag: { y, height }
	#moved = false;

	constructor(element, { words, label, size = "half", changed = () => {} }) {
		Object.assign(this, { element, words, label, changed });
		this.grip = button({ kind: "grip", "aria-label": "" });
		this.grip.addEventListener("click", () => this.#moved || this.step(1, true));
		this.grip.addEventListener("keydown", (event) => this.#key(event));
		this.grip.addEventListener("pointerdown", (event) => this.#down(event));
		this.grip.addEventListener("pointermove", (event) => this.#move(event));
		this.grip.addEventListener("pointerup", () => this.#up());
		this.grip.addEventListener("pointercancel", () => this.#up());
		element.classList.add("sheet");
		element.prepend(this.grip);
		this.set(size);
	}

	// set changes the height: "low", "half" or "full".
	set(size) {
		this.size = size;
		this.element.dataset.size = size;
		this.grip.setAttribute("aria-label", this.words.around.sheet(this.label, size));
		this.element.style.removeProperty("height");
		this.changed();
	}

	// step goes to the next height; `around` goes from the last one to the first.
	step(by, around = false) {
		const next = SIZES.indexOf(this.size) + by;
		this.set(SIZES[around ? (next + SIZES.length) % SIZES.length : Math.max(0, Math.min(SIZES.length - 1, next))]);
	}

	#key(event) {
		const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
		if (!by) return;
		event.preventDefault();
		this.step(by);
	}

	#down(event) {
		if (event.button !== 0) return;
		this.grip.setPointerCapture(event.pointerId);
		this.#from = { y: event.clientY, height: this.element.offsetHeight };
		this.#moved = false;
	}

	#move(event) {
		if (!this.#from) return;
		const by = this.#from.y - event.clientY;
		if (Math.abs(by) < 6 && !this.#moved) return;
		this.#moved = true;
		this.element.classList.add("is-dragged");
		this.element.style.setProperty("height", `${Math.max(0, this.#from.height + by)}px`);
	}

	// #up goes to the height that is nearest to where the drag ended.
	#up() {
		if (!this.#from) return;
		this.#from = null;
		this.element.classList.remove("is-dragged");
		if (!this.#moved) return;
		const part = this.element.offsetHeight / (this.element.offsetParent?.offsetHeight || innerHeight);
		this.set(part < 0.28 ? "low" : part < 0.66 ? "half" : "full");
		setTimeout(() => (this.#moved = false)); // after the click that ends the drag
	}
}
