terraform {
  required_version = ">= 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.0"
    }
  }
}

locals {
  # A rule takes five values in all.
  exemptions = chunklist(var.never_queue, 5 - length(var.host_names))

  # The order of docs/relying-parties/alb.md: what never queues, what scripts ask for, the rooms, all else.
  authenticated = merge(
    length(var.api) == 0 ? {} : { api = { priority = var.first_priority + 10, paths = var.api, deny = true, cookie = null, room = null } },
    { for i, room in var.rooms : "room-${room.id}" => { priority = var.first_priority + 20 + i, paths = room.paths, deny = false, cookie = "${join("", [for word in split("-", room.id) : title(word)])}Auth", room = room.id } },
    { site = { priority = var.first_priority + 30, paths = ["/*"], deny = false, cookie = null, room = null } },
  )
}

resource "aws_lb_listener_rule" "never_queue" {
  for_each     = { for i, paths in local.exemptions : tostring(i) => paths }
  listener_arn = var.listener_arn
  priority     = var.first_priority + tonumber(each.key)
  tags         = { Name = "never_queue" }
  condition {
    path_pattern { values = each.value }
  }
  dynamic "condition" {
    for_each = length(var.host_names) > 0 ? [var.host_names] : []
    content {
      host_header { values = condition.value }
    }
  }
  action {
    type             = "forward"
    target_group_arn = var.target_group_arn
  }
}

resource "aws_lb_listener_rule" "authenticated" {
  for_each     = local.authenticated
  listener_arn = var.listener_arn
  priority     = each.value.priority
  tags         = { Name = each.key }
  condition {
    path_pattern { values = each.value.paths }
  }
  dynamic "condition" {
    for_each = length(var.host_names) > 0 ? [var.host_names] : []
    content {
      host_header { values = condition.value }
    }
  }
  # Taken out, a rule forwards and asks for no login.
  dynamic "action" {
    for_each = var.take_out ? [] : [each.value]
    content {
      type = "authenticate-oidc"
      authenticate_oidc {
        issuer                              = var.issuer
        authorization_endpoint              = "${var.issuer}/authorize"
        token_endpoint                      = "${var.issuer}/token"
        user_info_endpoint                  = "${var.issuer}/userinfo"
        client_id                           = var.client_id
        client_secret                       = var.client_secret
        on_unauthenticated_request          = action.value.deny ? "deny" : "authenticate"
        session_cookie_name                 = action.value.cookie
        authentication_request_extra_params = action.value.room == null ? null : { room = action.value.room }
      }
    }
  }
  action {
    type             = "forward"
    target_group_arn = var.target_group_arn
  }
}

# The load balancer itself asks Usher's /token and /userinfo, at its public name.
resource "aws_vpc_security_group_egress_rule" "to_usher" {
  count             = var.load_balancer_security_group_id == null ? 0 : 1
  security_group_id = var.load_balancer_security_group_id
  description       = "Token and userinfo endpoints of Usher"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "0.0.0.0/0"
}
