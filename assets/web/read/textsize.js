// The size of the text of articles, which is a choice for this device.

const STORED = "text-size";
const LARGEST = 3;

// textSize returns the class of the present size.
export function textSize() {
	return `size-${present()}`;
}

// sizeItems returns the items of a menu that change the size. changed is called afterwards.
export function sizeItems(words, changed) {
	const item = (label, icon, by) => {
		const next = present() + by;
		const run = () => {
			localStorage.setItem(STORED, next);
			changed();
		};
		return { label, icon, disabled: next < 0 || next > LARGEST, run };
	};
	return [item(words.read.largerText(), "plus", 1), item(words.read.smallerText(), "minus", -1)];
}

function present() {
	const stored = Number(localStorage.getItem(STORED));
	return Number.isInteger(stored) && stored >= 0 && stored <= LARGEST ? stored : 0;
}
