// The text size of articles, a setting of this device.

const KEY = "text-size"; // in localStorage
const LARGEST = 3; // sizes are integers from 0

// textSize returns the CSS class of the present size.
export function textSize() {
	return `size-${presentSize()}`;
}

// sizeItems returns the menu items that change the size. onChange is called after a change.
export function sizeItems(words, onChange) {
	const item = (label, icon, by) => {
		const next = presentSize() + by;
		const run = () => {
			localStorage.setItem(KEY, next);
			onChange();
		};
		return { label, icon, disabled: next < 0 || next > LARGEST, run };
	};
	return [item(words.read.largerText(), "plus", 1), item(words.read.smallerText(), "minus", -1)];
}

function presentSize() {
	const storedSize = Number(localStorage.getItem(KEY));
	return Number.isInteger(storedSize) && storedSize >= 0 && storedSize <= LARGEST ? storedSize : 0;
}
