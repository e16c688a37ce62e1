package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// usageTemplate returns cobra's usage template without the usage line that shows a
// group of commands as runnable: a group runs only to reject unknown subcommands.
func usageTemplate(root *cobra.Command) string {
	return strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable (not .HasSubCommands)}}", 1)
}

// setUsage sets the usage errors of cmd and the commands below it: a group of
// commands rejects unknown subcommands, and a command names missing and unexpected
// arguments.
func setUsage(cmd *cobra.Command) {
	if !cmd.HasSubCommands() {
		cmd.Args = checkArgs
		return
	}
	cmd.Args, cmd.RunE = cobra.ArbitraryArgs, runGroup
	for _, sub := range cmd.Commands() {
		setUsage(sub)
	}
}

// runGroup runs a group of commands: it shows the help, or rejects an unknown
// subcommand.
func runGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd, args[0])
}

// unknownCommand returns the error for a subcommand that does not exist, with the
// most similar names.
func unknownCommand(cmd *cobra.Command, name string) error {
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	text := fmt.Sprintf("unknown command %q for %q", name, cmd.CommandPath())
	if similar := cmd.SuggestionsFor(name); len(similar) > 0 {
		text += "; did you mean " + strings.Join(similar, " or ") + "?"
	}
	return usageError{fmt.Errorf("%s", text)}
}

// flagError returns the error for an invalid flag of cmd. If there is an unknown
// subcommand, the error is about the subcommand instead.
func flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return usageError{fmt.Errorf("%s: %w", commandName(cmd), err)}
}

// checkArgs implements [cobra.PositionalArgs]. The Use line of a command names its
// arguments; arguments in brackets are optional.
func checkArgs(cmd *cobra.Command, args []string) error {
	var names []string
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if strings.HasPrefix(word, "--") {
			break // flags, which the command checks itself
		}
		names = append(names, word)
	}
	if len(args) > len(names) {
		return usageError{fmt.Errorf("%s: unexpected argument %q", commandName(cmd), args[len(names)])}
	}
	if missing := names[len(args):]; len(missing) > 0 && !strings.HasPrefix(missing[0], "[") {
		return usageError{fmt.Errorf("%s: the argument %s is missing", commandName(cmd), missing[0])}
	}
	return nil
}

// commandName returns the words of a command after the name of the program.
func commandName(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}
