# The keys and the clients' secrets are given: so private keys are in no state, and a standby region has the same ones.

data "aws_secretsmanager_random_password" "store_token" {
  password_length     = 64
  exclude_punctuation = true
}

resource "aws_secretsmanager_secret" "store_token" {
  #checkov:skip=CKV_AWS_149:Encrypted by aws/secretsmanager
  #checkov:skip=CKV2_AWS_57:Valkey and the tasks must change over together: docs/aws.md
  name = "${var.name}/store-token"
}

resource "aws_secretsmanager_secret_version" "store_token" {
  secret_id     = aws_secretsmanager_secret.store_token.id
  secret_string = data.aws_secretsmanager_random_password.store_token.random_password
  lifecycle {
    # Every plan draws another one.
    ignore_changes = [secret_string]
  }
}

ephemeral "aws_secretsmanager_random_password" "admin_key" {
  password_length     = 64
  exclude_punctuation = true
}

resource "aws_secretsmanager_secret" "admin_key" {
  #checkov:skip=CKV_AWS_149:Encrypted by aws/secretsmanager
  #checkov:skip=CKV2_AWS_57:It is for setting up; keys for people and programs are made and revoked at run time (docs/roles.md)
  name = "${var.name}/admin-key"
}

resource "aws_secretsmanager_secret_version" "admin_key" {
  secret_id                = aws_secretsmanager_secret.admin_key.id
  secret_string_wo         = ephemeral.aws_secretsmanager_random_password.admin_key.random_password
  secret_string_wo_version = 1
}
