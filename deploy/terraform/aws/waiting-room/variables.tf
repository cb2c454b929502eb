variable "name" {
  description = "Begins the names of all resources; lower-case letters, digits, hyphens."
  type        = string
  default     = "usher"
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,19}$", var.name))
    error_message = "At most 20 lower-case letters, digits and hyphens, a letter first."
  }
}

variable "host_name" {
  description = "Usher's public host name: the issuer is https://HOST_NAME."
  type        = string
}

variable "configuration" {
  description = "usher.yaml without what the module writes (usher.yaml.tftpl): rooms, clients, and what else there is. It names secrets and holds none."
  type        = string
}

variable "image" {
  description = "Usher's container image, by digest or version."
  type        = string
}

variable "certificate_arn" {
  description = "ARN of an ACM certificate of this region for host_name."
  type        = string
}

variable "vpc_id" {
  description = "The VPC."
  type        = string
}

variable "public_subnet_ids" {
  description = "Subnets of the load balancer, in two availability zones at least."
  type        = list(string)
  validation {
    condition     = length(var.public_subnet_ids) >= 2
    error_message = "A load balancer needs subnets in two availability zones."
  }
}

variable "private_subnet_ids" {
  description = "Subnets of the tasks and of Valkey, in two availability zones at least, with a way out on port 443 (a NAT gateway)."
  type        = list(string)
  validation {
    condition     = length(var.private_subnet_ids) >= 2
    error_message = "Failover needs subnets in two availability zones."
  }
}

variable "keys_secret_arn" {
  description = "ARN of the secret with the members signing, tickets and cookies (docs/aws.md makes it)."
  type        = string
}

variable "client_secret_arns" {
  description = "ARNs of the other secrets that configuration names."
  type        = list(string)
  default     = []
}

variable "kms_key_arns" {
  description = "Customer managed keys that encrypt these secrets; none for aws/secretsmanager."
  type        = list(string)
  default     = []
}

variable "ingress_cidrs" {
  description = "Where visitors come from."
  type        = list(string)
  default     = ["0.0.0.0/0"]
}

variable "ingress_prefix_list_ids" {
  description = "Prefix lists where visitors come from: that of CloudFront's origin-facing addresses, with ingress_cidrs = []."
  type        = list(string)
  default     = []
}

variable "trusted_proxies" {
  description = "Proxies before the load balancer, as CIDR: a CDN's. The load balancer's own subnets are known."
  type        = list(string)
  default     = []
}

variable "operator_cidrs" {
  description = "From where operators and Prometheus reach the operators' listener (port 3100), inside the VPC or by VPN."
  type        = list(string)
  default     = []
}

variable "tasks" {
  description = "The fewest and the most tasks (usher plan says how many)."
  type        = object({ min = number, max = number })
  default     = { min = 2, max = 10 }
  validation {
    condition     = var.tasks.min >= 2 && var.tasks.max >= var.tasks.min
    error_message = "Two tasks at least: one must remember what the other cannot."
  }
}

variable "active" {
  description = "false: a standby region, with everything but tasks and alarms."
  type        = bool
  default     = true
}

variable "cpu" {
  description = "CPU units of a task. A process uses one core: 1024."
  type        = number
  default     = 1024
}

variable "memory" {
  description = "Memory of a task in MiB."
  type        = number
  default     = 2048
}

variable "cpu_architecture" {
  description = "X86_64 or ARM64."
  type        = string
  default     = "X86_64"
}

variable "requests_per_task" {
  description = "Requests a minute and task at which another task starts."
  type        = number
  default     = 60000
}

variable "scheduled" {
  description = "Tasks before a sale and after it: schedule is at(2031-05-10T09:00:00) or cron(…), in time_zone."
  type        = map(object({ schedule = string, min = number, max = number, time_zone = optional(string, "UTC") }))
  default     = {}
}

variable "store_node_type" {
  description = "Of ElastiCache (usher plan says which)."
  type        = string
  default     = "cache.t4g.small"
}

variable "store_nodes" {
  description = "Nodes of ElastiCache: a primary and its replicas, over availability zones."
  type        = number
  default     = 2
  validation {
    condition     = var.store_nodes >= 2
    error_message = "Failover needs a replica."
  }
}

variable "alarm_actions" {
  description = "ARNs that alarms notify: SNS topics."
  type        = list(string)
  default     = []
}

variable "log_retention_days" {
  description = "How long CloudWatch keeps the log. It is a witness of draws."
  type        = number
  default     = 90
}

variable "deletion_protection" {
  description = "Keeps the load balancer from being deleted."
  type        = bool
  default     = true
}
