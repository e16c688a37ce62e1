// The posts of a conversation, without DOM. A post is an item of the panel, of which this module
// reads id, actor and metadata.created_at.

// mergePosts returns the known posts followed by the latest page, which replaces the known posts
// from its first one on. If the first post of the page is unknown, posts between the two may be
// missing, and it returns the page alone.
export function mergePosts(knownPosts, page) {
	if (page.length === 0) return [];
	const at = knownPosts.findIndex(({ id }) => id === page[0].id);
	return at < 0 ? [...page] : [...knownPosts.slice(0, at), ...page];
}

// firstNew returns the index of the first unread post, or -1. readUpTo is the id of the last post
// that the member has read, null for none. Posts of the member, whose id is self, are not unread.
export function firstNew(posts, { readUpTo, unread, self }) {
	if (!unread) return -1;
	const after = posts.findIndex(({ id }) => id === readUpTo) + 1;
	return posts.findIndex(({ actor }, i) => i >= after && actor?.member_id !== self);
}

// isFollowing reports whether a post is shown without its author, because it has the same author
// as the post before it and is less than five minutes later.
export function isFollowing(post, before) {
	if (!before || !post.actor || post.actor.member_id !== before.actor?.member_id) return false;
	return Date.parse(post.metadata.created_at) - Date.parse(before.metadata.created_at) < 300_000;
}
