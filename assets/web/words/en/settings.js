// English texts of the settings.

// catalog returns words.settings as functions that return texts, see loadWords in words.js. Days and
// times are passed as texts.
export const catalog = () => ({
	you: () => "You",
	operator: () => "operator",

	// Account
	seen: () => "How others see you",
	openProfile: () => "Open profile",
	picture: () => "Picture",
	pictureHint: () => "Visible to members who can see your profile.",
	signIn: () => "Sign-in",
	signInLead: () => "You can sign in with either of them. A change needs your password.",
	yourPassword: () => "Your password",
	passwordChanged: () => "The password is changed.",

	// Sessions
	whereSignedIn: () => "Where you are signed in",
	sessionsLead: () => "Sign out browsers that you no longer use.",
	since: (time) => `since ${time}`,
	used: (time) => `used ${time}`,
	neverUsed: () => "never used",
	here: () => "this one",
	signedOut: (name) => `${name} is signed out.`,
	signedOutOthers: () => "All others are signed out.",

	// Appearance
	look: () => "On this device",
	lookLead: () => "This applies only to this browser. The browser sets the size of the text.",
	colors: () => "Colors",
	theme: (name) => ({ system: "Same as the device", light: "Light", dark: "Dark" })[name] ?? name,
	shortcutsHint: () => "Press ? to see them all.",
	languageLead: () => "On all your devices. The page loads again after a change.",
	daysLead: () => "How your calendar begins days and weeks.",
	dayHint: () => "Hours that the views Day and Week show first.",

	// Calendars
	calendarZoneHint: () => "Leave it empty for the time zone of your account.",
	calendarsLead: () => "Their order, and which of them the calendar shows.",
	visible: () => "Show in the calendar",
	visibleOf: (name) => `Show ${name} in the calendar`,
	earlier: () => "Move up",
	later: () => "Move down",
	address: () => "Address for other programs",
	addressText: () => "Some calendar programs ask for the address of one calendar. The password is that of a device.",
	caldavAddress: () => "CalDAV address",
	feedTitle: (name) => `Link to ${name}`,
	feedHint: () => "Private entries are left out, and confidential ones are shown as busy. Reminders, attachments and guests "
		+ "are never shown.",
	feedText: (shown) => `Anyone with this link can read the calendar, without an account. It shows: ${shown}.`,
	feedEnds: () => "Each calendar has one link. The present link stops working, for everyone who uses it, as soon as you create a new one.",
	link: () => "Link",
	stopped: (name) => `The link to ${name} no longer works.`,
	importedInto: (name) => `Import into ${name}`,
	notImported: () => "Not imported",
	fileLine: (line) => `Line ${line}`,
	moreRefused: (count) => `Further entries that were not imported: ${count}`,
	inTrash: (name) => `${name} is in the trash.`,
	restored: (name) => `${name} is restored.`,

	// Devices
	connect: () => "Calendar on your phone or computer",
	connectLead: () => "You can use your calendars in the calendar program of the device. "
		+ "Changes are synchronized in both directions.",
	deviceKind: () => "Device",
	platform: (name) => ({ iphone: "iPhone", mac: "Mac", android: "Android", other: "Other" })[name] ?? name,
	showLink: () => "Create the link",
	linkOver: () => "The last link was used or has expired.",
	// linkSteps returns the steps to set up a device with a link.
	linkSteps: (platform) => ({
		iphone: [
			"Create the link. It works once, for ten minutes.",
			"Scan the code with the camera of the iPhone, or open the link there.",
			"Choose the profile, then install it in Settings.",
			"The iPhone has a password of its own, which you can remove below.",
		],
		mac: [
			"Create the link. It works once, for ten minutes.",
			"Open the link on the Mac.",
			"Choose the profile, open it, and install it in System Settings.",
			"The Mac has a password of its own, which you can remove below.",
		],
		android: [
			"Install an app that supports CalDAV, such as DAVx⁵.",
			"Create the link. It works once, for ten minutes.",
			"Scan the code with the phone, or open the link there. It shows an address, a user name and a password.",
			"Enter them in the app: sign in with URL and user name.",
		],
	})[platform] ?? [],
	// manualSteps returns the steps to set up a device without a link.
	manualSteps: (platform) => ({
		iphone: [
			"Create a device password.",
			"On the iPhone, open Settings, Apps, Calendar, Calendar accounts, and add an account: Other, CalDAV.",
			"Enter the server, the user name and the device password.",
		],
		mac: [
			"Create a device password.",
			"On the Mac, open Calendar, Settings, Accounts, and add an account: Other CalDAV account, Manual.",
			"Enter the server, the user name and the device password.",
		],
		android: [
			"Create a device password.",
			"Install an app that supports CalDAV, such as DAVx⁵, and add an account: sign in with URL and user name.",
			"Enter the server, the user name and the device password.",
		],
	})[platform] ?? [
		"Create a device password.",
		"Thunderbird: New calendar, On the network. GNOME: Settings, Online accounts, WebDAV. Others: add a CalDAV account.",
		"Enter the server, the user name and the device password.",
	],
	needsHTTPS: () => "The setup link needs HTTPS",
	needsHTTPSText: () => "A link that sets up a device works only if the address of this server begins with https. "
		+ "The operator can set that up. Until then, enter the account by hand.",
	qrLabel: () => "Code with the link, to scan with the device",
	openHere: () => "Set up this device",
	goodUntil: (time) => `works once, until ${time}`,
	onlyLocal: () => "This link works only on the machine of the server, because the server has no address of its own yet. "
		+ "Set base-url in appliance.toml, in its data directory, and start it again.",
	devicesLead: () => "Each device has a password of its own. If one is lost, remove its password.",
	deviceHint: () => "Such as: Bea's phone",
	created: (time) => `created ${time}`,
	create: () => "Create",
	deviceRemoved: (name) => `${name} can no longer sign in.`,
	passwordOf: (name) => `Password of ${name}`,
	passwordText: () => "Enter this in the calendar program of the device.",
	password: () => "Password",
	userName: () => "User name",
	server: () => "Server",

	// Second factor
	on: () => "on",
	off: () => "off",
	goOn: () => "Continue",
	codes: () => "Recovery codes",
	codesText: () => "If your other factor is lost, each of these codes lets you sign in once. "
		+ "Keep them on paper or in a password manager.",
	codesFile: () => "recovery-codes.txt",
	appQR: () => "Code with the key, to scan with the app",
	appScan: () => "Scan the code with the app, or enter the key. Then enter the six digits that the app shows.",
	appEnter: () => "Enter the key in the app. Then enter the six digits that the app shows.",
	appKey: () => "Key",
	appOpen: () => "Open the app on this device",
	passkeyName: (day) => `Passkey of ${day}`,
	passkeyKnown: () => "This device already has a passkey for this account.",
	passkeyStopped: () => "The passkey was not created.",

	// Blocked members
	blockedLead: () => "They cannot write to you, and you do not see what they write.",
});
