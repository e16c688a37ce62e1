// Stores the reading position in an article: the index of the first visible block, which does not
// depend on the size of the text.

const KEY_PREFIX = "reading "; // of the keys in the storage

// keepPosition stores the position in an article. key identifies the article. topEdge is the upper
// edge of the visible part, in CSS pixels from the top of the window.
export function keepPosition(storage, key, article, topEdge) {
	const index = [...article.children].findIndex((block) => block.getBoundingClientRect().bottom > topEdge);
	try {
		if (index > 1) storage.setItem(KEY_PREFIX + key, index);
		else storage.removeItem(KEY_PREFIX + key); // the title is visible
	} catch {
		// The storage is full or disabled: the position is not kept.
	}
}

// restorePosition scrolls an article to the stored position.
export function restorePosition(storage, key, article) {
	const index = Number(storage.getItem(KEY_PREFIX + key));
	if (index > 1) article.children[index]?.scrollIntoView({ block: "start" });
}
