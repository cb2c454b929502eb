output "load_balancer" {
  description = "For an alias record of host_name, in Route 53 or as an origin of CloudFront."
  value       = { dns_name = aws_lb.usher.dns_name, zone_id = aws_lb.usher.zone_id }
}

output "issuer" {
  description = "What relying parties name."
  value       = "https://${var.host_name}"
}

output "admin_url" {
  description = "For USHER_ADMIN, inside the VPC: a process that answers."
  value       = "http://${aws_service_discovery_service.tasks.name}.${aws_service_discovery_private_dns_namespace.internal.name}:3100"
}

output "admin_key_secret_arn" {
  description = "Of the secret with the first admin key (USHER_ADMIN_API_KEY)."
  value       = aws_secretsmanager_secret.made["admin-key"].arn
}

output "tasks_security_group_id" {
  description = "For rules of your own: a site whose health_url or probe has another port than 443."
  value       = aws_security_group.tasks.id
}

output "log_group" {
  description = "Of CloudWatch."
  value       = aws_cloudwatch_log_group.usher.name
}
