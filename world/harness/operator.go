package harness

import (
	"slices"
	"strings"
)

const operatorPanel = "/world/panels/operator"

// operatorViews are the views of the panel of operators.
var operatorViews = []string{"overview", "members", "invitations", "backups", "services", "regions", "providers", "audit"}

var operatorChecks = []check{
	{"B-109 W-76 W-121", "the administration is offered to operators alone", func(c *client, rec *recorder) {
		d, okDataset := c.dataset(rec)
		s, okSession := c.session(rec)
		if !okDataset || !okSession {
			return
		}
		offered := slices.Contains(serviceIDs(s), "operator")
		operator := d.at("member.is_operator").isTrue()
		if offered != operator {
			rec.addProblem("%s: the service operator is listed: %t; is_operator: %t", s.at("services").path, offered, operator)
		}
		hasContext := slices.ContainsFunc(d.at("contexts").list(), func(v value) bool { return v.at("kind").str() == "operator" })
		if hasContext != operator {
			rec.addProblem("%s: there is a context of the kind operator: %t; is_operator: %t", d.at("contexts").path, hasContext, operator)
		}
		for _, a := range d.at("actions").list() {
			if !operator && strings.HasPrefix(a.at("type").str(), "admin.") {
				rec.addUnexpected(a.at("type"), "no action of operators")
			}
		}
		if !operator {
			c.do(request{path: operatorPanel}).checkError(rec, 403, "permission_denied")
		}
	}},
	{"B-109 PT-04 PT-08", "every view of the panel of operators has its fields and no link that is a secret", func(c *client, rec *recorder) {
		if !c.isOperator() {
			return
		}
		for _, view := range operatorViews {
			v, ok := c.document(rec, operatorPanel+"?view="+view)
			if !ok {
				continue
			}
			c.checkSchema(rec, v, "service.operator.panel", 1)
			rec.checkString(v.at("kind"), "operator")
			rec.checkString(v.at("view"), view)
			rec.checkShape(v, "version text", "health object", "counts object", "members array", "invitations array", "backups array", "regions array",
				"providers array", "audit array", "page object|null")
			for _, secret := range v.all() {
				for _, key := range secret.keys() {
					if text := secret.at(key).str(); strings.Contains(text, "/world/invite/") || strings.Contains(text, "/world/reset/") {
						rec.addProblem("%s: the link is a secret", join(secret.path, key))
					}
				}
			}
		}
		c.do(request{path: operatorPanel + "?view=nope"}).checkError(rec, 400, "invalid_parameter")
	}},
}

func (c *client) isOperator() bool { return c.get(runtimePath).doc.at("member.is_operator").isTrue() }

// panels returns the paths of the panels of the member.
func (c *client) panels() []string {
	if !c.isOperator() {
		return panelPaths
	}
	paths := append(slices.Clone(panelPaths), operatorPanel)
	for _, view := range operatorViews[1:] {
		paths = append(paths, operatorPanel+"?view="+view)
	}
	return paths
}
