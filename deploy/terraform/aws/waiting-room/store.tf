resource "aws_elasticache_parameter_group" "store" {
  name   = var.name
  family = "valkey8"
  # An evicted key is a lost room.
  parameter {
    name  = "maxmemory-policy"
    value = "noeviction"
  }
}

resource "aws_elasticache_subnet_group" "store" {
  name       = var.name
  subnet_ids = var.private_subnet_ids
}

# No append-only file: ElastiCache has none with failover. Processes remember what a new primary lacks (docs/recovery.md).
resource "aws_elasticache_replication_group" "store" {
  #checkov:skip=CKV_AWS_191:Encrypted by the key of AWS; a key of your own is for who needs to revoke it
  replication_group_id       = var.name
  description                = "Usher's store"
  engine                     = "valkey"
  engine_version             = "8.0"
  node_type                  = var.store_node_type
  num_cache_clusters         = var.store_nodes
  parameter_group_name       = aws_elasticache_parameter_group.store.name
  subnet_group_name          = aws_elasticache_subnet_group.store.name
  security_group_ids         = [aws_security_group.store.id]
  port                       = 6379
  automatic_failover_enabled = true
  multi_az_enabled           = true
  at_rest_encryption_enabled = true
  transit_encryption_enabled = true
  transit_encryption_mode    = "required"
  auth_token                 = aws_secretsmanager_secret_version.made["store-token"].secret_string
  auth_token_update_strategy = "ROTATE"
  snapshot_retention_limit   = 1
  # A minor version in the middle of a sale is a failover.
  auto_minor_version_upgrade = false
}
