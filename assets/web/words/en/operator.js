// English texts of the pages of the operator.

// catalog returns words.operator as functions that return texts, see loadWords in words.js. Days, times
// and sizes are passed as texts.
export const catalog = ({ number }) => ({
	all: () => "All",
	allOf: (title) => `All: ${title}`,
	actions: () => "Actions",
	none: () => "None",
	unknown: () => "Unknown",
	never: () => "never",
	changed: (name) => `${name} is changed.`,
	removed: (name) => `${name} is removed.`,
	deletionKeeps: (name) => `The calendars, the profile and the files of ${name} are deleted. `
		+ "Messages and posts stay, under the name “Former member”. Backups keep the data as long as you keep them.",
	codes: () => "Codes",

	// State of the server
	ready: (count, total) => `${number(count)} of ${number(total)} ready`,
	allReady: () => "no problems",
	someNotReady: () => "some have problems",
	nameHint: (name) => `The name of this server is ${name}. `
		+ "It is the setting server-name in appliance.toml, which the server reads when it starts.",
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
	passwordHint: () => "Give it to the member, who can change it later. An invitation needs no password.",
	deleted: (name) => `${name} is deleted.`,
	resetTitle: (name) => `New password for ${name}`,
	resetText: (name) => `Send this link to ${name}. It works once, until tomorrow.`,

	// Invitations
	invite: () => "Invite",
	createLink: () => "Create the link",
	inviteHint: () => "Leave it empty for anyone with the link.",
	invitation: () => "Invitation",
	inviteText: (day, email) => (email
		? `Send this link to ${email}. It works once, until ${day}.`
		: `Send this link to one person. It works once, until ${day}.`),
	invitationsText: () => "An invitation is a link with which one person becomes a member. Send it to that person alone.",
	invitationsLead: () => "A link is shown only when it is created. "
		+ "If it is lost, cancel the invitation and create another one.",

	// Backups, map, providers
	backupBegun: () => "A backup is running.",
	backupRunning: () => "Running",
	backupFailed: () => "The last backup failed",
	regionsLead: () => "Places and tiles of the map.",
	importing: () => "being imported",
	providersLead: () => "External sources of entries for all members.",
});
