# Keys and clients' secrets are given: so private keys are in no state, and a standby region has the same ones. These two are made, and are in the
# state: keep that where few can read it.

locals {
  made_secrets = toset(["store-token", "admin-key"])
}

data "aws_secretsmanager_random_password" "made" {
  for_each            = local.made_secrets
  password_length     = 64
  exclude_punctuation = true
}

resource "aws_secretsmanager_secret" "made" {
  #checkov:skip=CKV_AWS_149:Encrypted by aws/secretsmanager
  #checkov:skip=CKV2_AWS_57:Valkey and the tasks must change over together (docs/aws.md); the admin key is for setting up (docs/roles.md)
  for_each = local.made_secrets
  name     = "${var.name}/${each.key}"
}

resource "aws_secretsmanager_secret_version" "made" {
  for_each      = local.made_secrets
  secret_id     = aws_secretsmanager_secret.made[each.key].id
  secret_string = data.aws_secretsmanager_random_password.made[each.key].random_password
  lifecycle {
    # Every plan draws another one.
    ignore_changes = [secret_string]
  }
}
