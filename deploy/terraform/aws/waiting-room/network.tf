resource "aws_security_group" "load_balancer" {
  name        = "${var.name}-load-balancer"
  description = "Load balancer of Usher"
  vpc_id      = var.vpc_id
}

resource "aws_security_group" "tasks" {
  name        = "${var.name}-tasks"
  description = "Tasks of Usher"
  vpc_id      = var.vpc_id
}

resource "aws_security_group" "store" {
  name        = "${var.name}-store"
  description = "Valkey of Usher"
  vpc_id      = var.vpc_id
}

locals {
  visitors = merge(
    { for cidr in var.ingress_cidrs : cidr => { cidr = cidr, list = null } },
    { for list in var.ingress_prefix_list_ids : list => { cidr = null, list = list } },
  )
}

resource "aws_vpc_security_group_ingress_rule" "https" {
  for_each          = local.visitors
  security_group_id = aws_security_group.load_balancer.id
  description       = "Visitors"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = each.value.cidr
  prefix_list_id    = each.value.list
}

resource "aws_vpc_security_group_ingress_rule" "http" {
  #checkov:skip=CKV_AWS_260:It only redirects to https
  for_each          = local.visitors
  security_group_id = aws_security_group.load_balancer.id
  description       = "Visitors, who are redirected"
  ip_protocol       = "tcp"
  from_port         = 80
  to_port           = 80
  cidr_ipv4         = each.value.cidr
  prefix_list_id    = each.value.list
}

# 3000 for visitors, 3100 for health checks.
resource "aws_vpc_security_group_egress_rule" "to_tasks" {
  for_each                     = toset(["3000", "3100"])
  security_group_id            = aws_security_group.load_balancer.id
  description                  = "Usher"
  ip_protocol                  = "tcp"
  from_port                    = tonumber(each.value)
  to_port                      = tonumber(each.value)
  referenced_security_group_id = aws_security_group.tasks.id
}

resource "aws_vpc_security_group_ingress_rule" "from_load_balancer" {
  for_each                     = toset(["3000", "3100"])
  security_group_id            = aws_security_group.tasks.id
  description                  = "The load balancer"
  ip_protocol                  = "tcp"
  from_port                    = tonumber(each.value)
  to_port                      = tonumber(each.value)
  referenced_security_group_id = aws_security_group.load_balancer.id
}

resource "aws_vpc_security_group_ingress_rule" "operators" {
  for_each          = toset(var.operator_cidrs)
  security_group_id = aws_security_group.tasks.id
  description       = "Operators and Prometheus"
  ip_protocol       = "tcp"
  from_port         = 3100
  to_port           = 3100
  cidr_ipv4         = each.value
}

# Secrets Manager, the image, the log; drand, push services, webhooks. A site that is asked at another port needs a rule of its own.
resource "aws_vpc_security_group_egress_rule" "https" {
  security_group_id = aws_security_group.tasks.id
  description       = "AWS, drand, push services, webhooks"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_vpc_security_group_egress_rule" "to_store" {
  security_group_id            = aws_security_group.tasks.id
  description                  = "Valkey"
  ip_protocol                  = "tcp"
  from_port                    = 6379
  to_port                      = 6379
  referenced_security_group_id = aws_security_group.store.id
}

resource "aws_vpc_security_group_ingress_rule" "to_store" {
  security_group_id            = aws_security_group.store.id
  description                  = "Usher"
  ip_protocol                  = "tcp"
  from_port                    = 6379
  to_port                      = 6379
  referenced_security_group_id = aws_security_group.tasks.id
}
