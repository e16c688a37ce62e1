// Scrolls a thread: its column on a large screen, the page on a phone.

const END_DISTANCE = 80; // maximum distance from the end, in pixels, at which the position counts as the end

// Scroller scrolls a column, or the page if the column does not scroll.
export class Scroller {
	// head is the element that covers the top of the visible area. foot returns the element that covers
	// its bottom.
	constructor(column, { head, foot }) {
		Object.assign(this, { column, head, foot });
	}

	// node is the element that scrolls.
	get node() {
		return getComputedStyle(this.column).overflowY === "visible" ? document.scrollingElement : this.column;
	}

	// topEdge is the upper edge of the area that is not covered, in pixels from the top of the viewport.
	get topEdge() {
		return this.node === this.column ? this.column.getBoundingClientRect().top + this.head.offsetHeight : this.head.offsetHeight;
	}

	// bottomEdge is the lower edge of the area that is not covered, in pixels from the top of the viewport.
	get bottomEdge() {
		return Math.min(this.foot().getBoundingClientRect().top, innerHeight);
	}

	// isAtEnd reports whether the end is visible, or at most END_DISTANCE pixels away.
	get isAtEnd() {
		const { node } = this;
		return node.scrollHeight - node.scrollTop - node.clientHeight < END_DISTANCE;
	}

	// fromStart is the scroll position, in pixels from the start.
	get fromStart() {
		return this.node.scrollTop;
	}

	// toEnd scrolls to the end. smooth is whether it animates, unless the member prefers reduced motion.
	toEnd({ smooth = false } = {}) {
		const { node } = this;
		const behavior = smooth && !matchMedia("(prefers-reduced-motion: reduce)").matches ? "smooth" : "instant";
		node.scrollTo({ top: node.scrollHeight, behavior });
	}

	// showAtTop scrolls back until a node is `gap` pixels below the upper edge, if it is above that.
	showAtTop(target, gap = 16) {
		const distance = this.topEdge + gap - target.getBoundingClientRect().top;
		if (distance > 0) this.node.scrollTop -= distance;
	}

	// showInMiddle scrolls a node to the middle of the visible area.
	showInMiddle(target) {
		target.scrollIntoView({ block: "center" });
	}

	// keepPosition runs a function that adds content above a node, and scrolls so that the node does not
	// move on the screen. find returns the node; it is called before and after run.
	keepPosition(find, run) {
		const bottomBefore = find()?.getBoundingClientRect().bottom;
		run();
		const bottomAfter = find()?.getBoundingClientRect().bottom;
		if (bottomAfter !== undefined && bottomBefore !== undefined) this.node.scrollTop += bottomAfter - bottomBefore;
	}

	// lastVisible returns the last of the nodes that the member has seen, or null: its lower edge is not
	// below the visible area, or it covers the whole area.
	lastVisible(nodes) {
		const { topEdge, bottomEdge } = this;
		for (let i = nodes.length - 1; i >= 0; i--) {
			const box = nodes[i].getBoundingClientRect();
			if (box.bottom <= bottomEdge + 4 || (box.top < topEdge && box.bottom > bottomEdge)) return nodes[i];
		}
		return null;
	}
}
