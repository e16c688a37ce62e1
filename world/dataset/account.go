package dataset

import (
	"appliance/svc"
	"appliance/world/action"
)

// identityService is the name of the service of accounts in datasets.
const identityService = "identity"

// accountParts returns the part of the member's account: the actions on it.
func accountParts() []part {
	return []part{newPart(actionSections, func(r *results) **actionsResult { return &r.account }, buildAccount, svc.AccountTopic)}
}

// buildAccount builds the part of the member's account.
func buildAccount(b *builder) (r actionsResult, err error) {
	me, err := b.services.Identity.Me(b.tx, b.viewer)
	if err != nil {
		return r, err
	}
	factor, err := b.services.Identity.SecondFactor(b.tx, b.viewer)
	if err != nil {
		return r, err
	}
	account := action.Account{Member: me.Member, Factor: factor, HasDeviceLinks: b.services.Identity.HasDeviceLinks()}
	actions := append(action.Accounts.Actions(b.actionBuilder, action.OwnAccount, account), action.Factors.Actions(b.actionBuilder, action.OwnAccount, account)...)
	r.actionIDs = action.IDs(actions)
	return r, r.addActions(actions...)
}

// addAccount adds the part of the member's account, and its context.
func (c *composition) addAccount() error {
	c.addService(c.composer.account)
	account := Context{ContextID: "ctx_member", Kind: "member", Label: c.member.DisplayName, Target: action.Workspace}
	if r := c.next.results.account; r != nil {
		account.ActionIDs = r.actionIDs
	}
	return c.addContext(account)
}
