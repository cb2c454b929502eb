data "aws_iam_policy_document" "ecs_tasks" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ecs-tasks.amazonaws.com"]
    }
  }
}

# ECS itself: pulls the image, writes the log, hands the task two secrets at its start.
resource "aws_iam_role" "execution" {
  name               = "${var.name}-${data.aws_region.here.region}-execution"
  assume_role_policy = data.aws_iam_policy_document.ecs_tasks.json
}

resource "aws_iam_role_policy_attachment" "execution" {
  role       = aws_iam_role.execution.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy"
}

data "aws_iam_policy_document" "execution" {
  statement {
    actions   = ["secretsmanager:GetSecretValue"]
    resources = [aws_secretsmanager_secret.made["store-token"].arn, aws_secretsmanager_secret.made["admin-key"].arn]
  }
}

resource "aws_iam_role_policy" "execution" {
  name   = "secrets"
  role   = aws_iam_role.execution.id
  policy = data.aws_iam_policy_document.execution.json
}

# Usher: reads keys and clients' secrets, again every minute (docs/secrets.md, "Permissions").
resource "aws_iam_role" "task" {
  name               = "${var.name}-${data.aws_region.here.region}-task"
  assume_role_policy = data.aws_iam_policy_document.ecs_tasks.json
}

data "aws_iam_policy_document" "task" {
  statement {
    actions   = ["secretsmanager:GetSecretValue"]
    resources = concat([var.keys_secret_arn], var.client_secret_arns)
  }
  dynamic "statement" {
    for_each = length(var.kms_key_arns) > 0 ? [var.kms_key_arns] : []
    content {
      actions   = ["kms:Decrypt"]
      resources = statement.value
      condition {
        test     = "StringEquals"
        variable = "kms:ViaService"
        values   = ["secretsmanager.${data.aws_region.here.region}.amazonaws.com"]
      }
    }
  }
}

resource "aws_iam_role_policy" "task" {
  name   = "secrets"
  role   = aws_iam_role.task.id
  policy = data.aws_iam_policy_document.task.json
}
