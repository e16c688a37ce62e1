package webapp

import "bytes"

// withoutComments returns a module of the web app without its comment lines, which are a quarter
// of its octets. They become empty lines, so that the numbers of lines in the messages of
// browsers are those of the source. No text of a module spans several lines, so a line that
// begins with "//" is a comment.
func withoutComments(module []byte) []byte {
	code := make([]byte, 0, len(module))
	for line := range bytes.Lines(module) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//")) {
			line = line[len(bytes.TrimSuffix(line, []byte("\n"))):]
		}
		code = append(code, line...)
	}
	return code
}
