// English texts of the operator's pages.

export const catalog = ({ number }) => ({
	all: () => "All",
	actions: () => "Actions",
	none: () => "None",
	unknown: () => "Unknown",
	never: () => "never",
	changed: (name) => `${name} is changed.`,
	removed: (name) => `${name} is removed.`,

	// State of the server
	ready: (count, all) => `${number(count)} of ${number(all)} ready`,
	allReady: () => "all work",
	someNotReady: () => "not all work",
	noBackup: () => "no automatic backup yet",
	free: (size) => `${size} free`,
	databaseSize: (size) => `${size} for the database`,
	damaged: () => "Damaged",
	intact: () => "Intact",
	checked: (time) => `checked ${time}`,
	notChecked: () => "not checked since the start",
	active: (count) => `${number(count)} active`,
	recent: (count) => `${number(count)} in the last 24 hours`,
	certificate: () => "Certificate",
	certificateUntil: () => "valid until this day",

	// Members
	findMember: () => "Find a member",
	name: () => "Name",
	email: () => "E-mail address",
	role: () => "Role",
	wasHere: () => "Last used",
	joined: () => "Member since",
	secondFactor: () => "Second factor",
	storage: () => "Storage",
	used: (size, limit) => `${size} of ${limit}`,
	isOperator: () => "Operator",
	isMember: () => "Member",
	status: (name) => ({ active: "active", disabled: "disabled", deleted: "deleted" })[name] ?? name,
	administer: () => "Administer",
	added: () => "The member is added.",
	passwordHint: () => "Tell it to the member, who can change it. An invitation needs no password.",
	disableText: () => "All sessions of the member end. You can enable the member again.",
	deleted: (name) => `${name} is deleted.`,
	resetTitle: (name) => `New password for ${name}`,
	resetText: (name) => `Send this link to ${name}. It works once, until tomorrow.`,

	// Invitations
	invite: () => "Invite",
	createLink: () => "Create the link",
	inviteHint: () => "Leave it empty for anyone with the link.",
	invitation: () => "Invitation",
	inviteText: (day, email) => (email ? `Send this link to ${email}. It works once, until ${day}.` : `Send this link to one person. It works once, until ${day}.`),
	invitationsLead: () => "A link is shown only when it is created. If it is lost, cancel the invitation and create another one.",

	// Backups, map, providers
	backupBegun: () => "A backup is being made.",
	backupRunning: () => "Being made",
	backupFailed: () => "The last backup was not made",
	regionsLead: () => "Places and tiles of the map.",
	importing: () => "being imported",
	providersLead: () => "Sources of things for all members.",
});
