variable "take_out" {
  description = "true takes the waiting room out: all rules forward, nobody logs in."
  type        = bool
  default     = false
}

variable "listener_arn" {
  description = "The HTTPS listener of the site's load balancer."
  type        = string
}

variable "target_group_arn" {
  description = "The site."
  type        = string
}

variable "issuer" {
  description = "Usher's public address: output issuer of the module waiting-room."
  type        = string
  validation {
    condition     = can(regex("^https://[^/]+$", var.issuer))
    error_message = "https:// and a host, without a slash at the end."
  }
}

variable "client_id" {
  description = "Of the client in Usher's configuration, with profile: alb."
  type        = string
}

variable "client_secret" {
  description = "Its secret. Terraform keeps it in the state, as part of the rules."
  type        = string
  sensitive   = true
}

variable "never_queue" {
  description = "Paths without a login: health checks, call-backs, assets, the page after a logout."
  type        = list(string)
  default     = ["/health", "/webhooks/*", "/assets/*", "/goodbye"]
}

variable "api" {
  description = "Paths that scripts ask for: 401 without a session. At most five values, with host_names."
  type        = list(string)
  default     = []
}

variable "rooms" {
  description = "Paths with a room of their own, the first that fits; all other paths are in the client's first room."
  type        = list(object({ id = string, paths = list(string) }))
  default     = []
  validation {
    condition     = length(var.rooms) <= 10
    error_message = "Ten rooms at most."
  }
}

variable "host_names" {
  description = "Only these hosts of the load balancer; none: every host. Needed where Usher has a name there, too."
  type        = list(string)
  default     = []
  validation {
    condition     = length(var.host_names) <= 3
    error_message = "Three at most: a rule takes five values in all."
  }
}

variable "first_priority" {
  description = "The rules have this priority and up to 30 more."
  type        = number
  default     = 10
}

variable "load_balancer_security_group_id" {
  description = "The load balancer's security group, to let it out on port 443; null where it is let out already."
  type        = string
  default     = null
}
