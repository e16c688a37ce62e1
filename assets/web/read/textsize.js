// The text size of articles, a setting of this device.

const KEY = "text-size"; // in localStorage
const LARGEST = 3; // sizes are integers from 0

// textSize returns the CSS class of the present size.
export function textSize() {
	return `size-${present()}`;
}

// sizeItems returns the menu items that change the size. changed is called after a change.
export function sizeItems(words, changed) {
	const item = (label, icon, by) => {
		const next = present() + by;
		const run = () => {
			localStorage.setItem(KEY, next);
			changed();
		};
		return { label, icon, disabled: next < 0 || next > LARGEST, run };
	};
	return [item(words.read.largerText(), "plus", 1), item(words.read.smallerText(), "minus", -1)];
}

function present() {
	const stored = Number(localStorage.getItem(KEY));
	return Number.isInteger(stored) && stored >= 0 && stored <= LARGEST ? stored : 0;
}
