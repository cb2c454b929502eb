import type { Snippet } from "../values.ts";

/** Terraform, as in docs/relying-parties/cognito.md. */
export const cognito: Snippet = ({ issuer, clientId, site }) => `resource "aws_cognito_identity_provider" "usher" {
  user_pool_id  = aws_cognito_user_pool.shop.id
  provider_name = "Usher"
  provider_type = "OIDC"
  provider_details = {
    oidc_issuer               = "${issuer}"
    client_id                 = "${clientId}"
    client_secret             = var.usher_client_secret
    authorize_scopes          = "openid"
    attributes_request_method = "GET"
  }
  attribute_mapping = {
    username      = "sub"
    "custom:room" = "room"
  }
}

# In the pool:
resource "aws_cognito_user_pool" "shop" {
  name = "shop"
  schema {
    name                = "room"
    attribute_data_type = "String"
    mutable             = true
  }
}

# The app's client:
resource "aws_cognito_user_pool_client" "shop" {
  name                                 = "shop"
  user_pool_id                         = aws_cognito_user_pool.shop.id
  supported_identity_providers         = [aws_cognito_identity_provider.usher.provider_name]
  allowed_oauth_flows_user_pool_client = true
  allowed_oauth_flows                  = ["code"]
  allowed_oauth_scopes                 = ["openid"]
  callback_urls                        = ["${site}/callback"]
  logout_urls                          = ["${site}/goodbye"]
  generate_secret                      = true
  refresh_token_validity               = 60
  token_validity_units { refresh_token = "minutes" }
}
`;
