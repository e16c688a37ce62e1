// Where a member has stopped to read an article: the number of the first block in view, which
// another size of the text does not change.

const PREFIX = "reading ";

// keepPosition stores the position in an article. top is the upper edge of what is visible, in
// pixels of the window; key identifies the article in the storage.
export function keepPosition(storage, key, article, top) {
	const index = [...article.children].findIndex((block) => block.getBoundingClientRect().bottom > top);
	try {
		if (index > 1) storage.setItem(PREFIX + key, index);
		else storage.removeItem(PREFIX + key); // the title is in view
	} catch {
		// QuotaExceededError, SecurityError
	}
}

// restorePosition scrolls an article to the stored position.
export function restorePosition(storage, key, article) {
	const index = Number(storage.getItem(PREFIX + key));
	if (index > 1) article.children[index]?.scrollIntoView({ block: "start" });
}
