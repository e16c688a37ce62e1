package cli

import (
	"context"
	"slices"
	"strings"

	"appliance/app"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"

	"github.com/spf13/cobra"
)

// addCompletions registers the values that the shell completes: values of flags
// with a fixed list of values, by flag in enums, and members as arguments.
func (c *cli) addCompletions(cmd *cobra.Command, enums map[string][]string) error {
	for name, values := range enums {
		if cmd.LocalFlags().Lookup(name) != nil {
			if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
				return err
			}
		}
	}
	if fields := strings.Fields(cmd.Use); len(fields) > 1 && fields[1] == "MEMBER" {
		cmd.ValidArgsFunction = c.completeMember
	}
	for _, sub := range cmd.Commands() {
		if err := c.addCompletions(sub, enums); err != nil {
			return err
		}
	}
	return nil
}

// completeMember completes the first argument with the user names and e-mail
// addresses that begin with prefix. Further arguments are completed as file names.
func (c *cli) completeMember(cmd *cobra.Command, args []string, prefix string) (list []cobra.Completion, directive cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	settings, err := c.settings(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	err = c.withApp(cmd.Context(), settings, func(a *app.App) error {
		members, err := allMembers(cmd.Context(), a, identity.CommandLine(machineUser()), identity.MemberQuery{})
		for _, m := range members {
			switch {
			case strings.HasPrefix(m.Username, prefix):
				list = append(list, cobra.CompletionWithDesc(m.Username, printableName(m.DisplayName)))
			case prefix != "" && strings.HasPrefix(m.Email, prefix):
				list = append(list, cobra.CompletionWithDesc(m.Email, printableName(m.DisplayName)))
			}
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	slices.Sort(list)
	return list, cobra.ShellCompDirectiveNoFileComp
}

// allMembers returns the members on all pages of a query.
func allMembers(ctx context.Context, a *app.App, by identity.Actor, query identity.MemberQuery) (all []identity.AdminMember, err error) {
	query.Limit = svc.MaxLimit
	all = make([]identity.AdminMember, 0)
	err = a.DB.Read(ctx, func(tx *store.Tx) error {
		for {
			page, err := a.Identity.Members(tx, by, query)
			if err != nil {
				return err
			}
			all = append(all, page.Members...)
			if page.Page.NextCursor == nil {
				return nil
			}
			query.Cursor = *page.Page.NextCursor
		}
	})
	return all, err
}
