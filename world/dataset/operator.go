package dataset

import (
	"appliance/svc"
	"appliance/world/action"
)

// operatorService is the name of the administration of the server in fallbacks.
const operatorService = "operator"

// operatorParts returns the part of the actions of operators. It depends on whether the
// member is an operator; every change of that changes all topics.
func operatorParts() []part {
	return []part{newPart(actionSections, func(r *results) **result { return &r.operator }, buildOperator, svc.AllTopics)}
}

// buildOperator builds the part of the actions of operators: nothing for other members.
func buildOperator(b *builder) (r result, err error) {
	if !b.reader.Operator {
		return r, nil
	}
	actions := action.Operators.Actions(b.actionBuilder, action.Workspace, action.ServerState{InvitationsWork: b.services.Identity.PermitsInvitations()})
	if err := r.addActions(actions...); err != nil {
		return r, err
	}
	return r, r.addContext(Context{
		ContextID: "ctx_operator", Kind: "operator", Label: b.viewer.Language().Text("Administration"), Target: action.Workspace, ActionIDs: action.IDs(actions),
	})
}
