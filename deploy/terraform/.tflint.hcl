plugin "terraform" {
  enabled = true
  preset  = "all"
}

# Files are by subject.
rule "terraform_standard_module_structure" {
  enabled = false
}
