// The posts of a conversation, without DOM. A post is an item of World's panel: its id, actor,
// body, entities and metadata.created_at.

// mergePosts returns the posts that are known and those of the latest page, which replaces what
// it has. If posts are missing between the two, only the page remains.
export function mergePosts(known, page) {
	if (page.length === 0) return [];
	const at = known.findIndex(({ id }) => id === page[0].id);
	return at < 0 ? [...page] : [...known.slice(0, at), ...page];
}

// firstNew returns the index of the first post that the member has not read, or -1. readUpTo
// is the id of the last post they have read, null for none; own posts are not new.
export function firstNew(posts, { readUpTo, unread, self }) {
	if (!unread) return -1;
	const after = posts.findIndex(({ id }) => id === readUpTo) + 1;
	return posts.findIndex(({ actor }, i) => i >= after && actor?.member_id !== self);
}

// isFollowing reports whether a post continues the one before it: the same author within five
// minutes.
export function isFollowing(post, before) {
	if (!before || !post.actor || post.actor.member_id !== before.actor?.member_id) return false;
	return Date.parse(post.metadata.created_at) - Date.parse(before.metadata.created_at) < 300_000;
}
