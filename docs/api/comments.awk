# Makes documentation of the comments of our headers, as Doxygen wants it: what stands before a declaration, or behind it on the same line.
# The first comment of a file is about the file, and about its class: the one of its name, as BusyPoll in busy_poll.h, or else the
# first. What is set in by three blanks is code.
function escaped(text,    part, parts, i, made) {  # not between backticks: what stands there is code
  parts = split(text, part, "`")
  for (i = 1; i <= parts; i++) {
    if (i % 2 == 1) gsub(/[@\\<]/, "\\\\&", part[i])
    made = made (i > 1 ? "`" : "") part[i]
  }
  return made
}
function comment(text) {
  return "///" (text ~ /^   / ? "   " text : escaped(text))
}
NR == 1 {
  at_head = 1
  count = split(FILENAME, path, "/")
  words = split(substr(path[count], 1, length(path[count]) - 2), part, "_")
  for (i = 1; i <= words; i++) noun = noun toupper(substr(part[i], 1, 1)) substr(part[i], 2)
  its_class = "^(class|struct) " noun "( |$)"
  named = 0
  while ((getline line < FILENAME) > 0) named = named || (line ~ its_class && line !~ /;$/)
  if (!named) its_class = "^class "
  print "/// \\file"
}
at_head && !/^\/\// { at_head = 0 }
/^ *\/\// {
  match($0, /^ */)
  indent = substr($0, 1, RLENGTH)
  text = substr($0, RLENGTH + 3)
  line = indent comment(text)
  if (text != "" && before != "" && explained && (text ~ /^   /) != (before ~ /^   /)) line = indent "///\n" line
  before = text
  if (at_head) head = head line "\n"
  print line
  explained = 1
  next
}
$0 ~ its_class && !/;$/ {
  if (!explained) printf "%s", head
  head = ""
}
# struct Thing {  // what it is
/^ *(struct|class|enum|enum class) .*\{ +\/\/ / {
  match($0, / +\/\/ /)
  print comment(" " substr($0, RSTART + RLENGTH))
  print substr($0, 1, RSTART - 1)
  next
}
/[^ ] +\/\/ / && !/"[^"]*\/\/[^"]*"/ {
  match($0, / +\/\/ /)
  print substr($0, 1, RSTART - 1) "  ///< " escaped(substr($0, RSTART + RLENGTH))
  next
}
{
  explained = /^ *template/ && explained
  print
}
