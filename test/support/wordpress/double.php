<?php
/*
 * Plugin Name: Double of OpenID Connect Generic Client 3.10
 * Description: Sends visitors and requests where the plugin sends them, for tests: the plugin itself is in none of the
 * registries that tests may use. Its settings, hooks and requests are those of its readme.txt; nothing is verified here.
 */

const STATE_PREFIX = 'openid-connect-generic-state--';
const REFRESH_KEY  = 'openid-connect-generic-refresh';
const TOKENS_KEY   = 'openid-connect-generic-last-token-response';
const SUBJECT_KEY  = 'openid-connect-generic-subject-identity';

add_action( 'init', function () {
	$settings = apply_filters( 'openid-connect-generic-settings', (object) array(
		'state_time_limit' => 180,
		'identity_key'     => 'preferred_username',
		'nickname_key'     => 'preferred_username',
	) );
	add_filter( 'allowed_redirect_hosts', fn ( $hosts ) => array( ...$hosts, parse_url( OIDC_ENDPOINT_LOGOUT_URL, PHP_URL_HOST ) ) );
	add_filter( 'logout_redirect', 'double_logout_redirect', 99, 3 );
	foreach ( array( 'wp_ajax_', 'wp_ajax_nopriv_' ) as $kind ) {
		add_action( "{$kind}openid-connect-authorize", fn () => double_callback( $settings ) );
	}
	// As in the plugin: WordPress runs what was there when it came to this priority, and so never this.
	add_action( 'init', 'double_keep_tokens_fresh' );
	$leads_to_login = 'auto' === OIDC_LOGIN_TYPE || ! empty( $_GET['force_redirect'] );
	$is_other       = in_array( $_GET['action'] ?? '', array( 'logout', 'postpass' ), true ) || isset( $_GET['login-error'] );
	if ( 'wp-login.php' === $GLOBALS['pagenow'] && $leads_to_login && ! $is_other ) {
		double_begin_login( $settings );
	}
} );

add_action( 'template_redirect', function () {
	if ( OIDC_ENFORCE_PRIVACY && ! is_user_logged_in() ) {
		auth_redirect();
	}
}, 0 );

function double_begin_login( $settings ) {
	$state  = bin2hex( random_bytes( 16 ) );
	$target = wp_validate_redirect( wp_unslash( $_REQUEST['redirect_to'] ?? admin_url() ), home_url() );
	set_transient( STATE_PREFIX . $state, $target, $settings->state_time_limit );
	wp_redirect( OIDC_ENDPOINT_LOGIN_URL . '?' . http_build_query( array(
		'response_type' => 'code',
		'scope'         => OIDC_CLIENT_SCOPE,
		'client_id'     => OIDC_CLIENT_ID,
		'state'         => $state,
		'redirect_uri'  => double_redirect_uri(),
	) ) );
	exit;
}

function double_callback( $settings ) {
	$target = get_transient( STATE_PREFIX . ( $_GET['state'] ?? '' ) );
	if ( ! isset( $_GET['code'] ) || ! $target ) {
		double_refuse( 'invalid-state' );
	}
	$tokens = double_ask( OIDC_ENDPOINT_TOKEN_URL, array(
		'code'         => $_GET['code'],
		'redirect_uri' => double_redirect_uri(),
		'grant_type'   => 'authorization_code',
		'scope'        => OIDC_CLIENT_SCOPE,
	) );
	$headers = array( 'Authorization' => 'Bearer ' . ( $tokens['access_token'] ?? '' ) );
	$person  = double_json( wp_remote_get( OIDC_ENDPOINT_USERINFO_URL, array( 'headers' => $headers ) ) );
	foreach ( array( $settings->identity_key, $settings->nickname_key, 'email' ) as $claim ) {
		if ( empty( $person[ $claim ] ) ) {
			double_refuse( 'incomplete-user-claim' );
		}
	}
	double_let_in( double_user( $person, $settings ), $tokens );
	wp_redirect( $target );
	exit;
}

function double_user( $person, $settings ) {
	$known = get_users( array( 'meta_key' => SUBJECT_KEY, 'meta_value' => $person['sub'] ) );
	if ( $known ) {
		return $known[0]->ID;
	}
	return wp_insert_user( array(
		'user_login' => sanitize_user( $person[ $settings->identity_key ], true ),
		'user_pass'  => wp_generate_password( 32 ),
		'user_email' => $person['email'],
		'nickname'   => $person[ $settings->nickname_key ],
		'meta_input' => array( SUBJECT_KEY => $person['sub'] ),
	) );
}

function double_let_in( $user_id, $tokens ) {
	update_user_option( $user_id, TOKENS_KEY, $tokens );
	$manager = WP_Session_Tokens::get_instance( $user_id );
	$token   = $manager->create( time() + apply_filters( 'auth_cookie_expiration', 2 * DAY_IN_SECONDS, $user_id, false ) );
	$refresh = array( REFRESH_KEY => array( 'refresh_token' => $tokens['refresh_token'] ?? false ) );
	$manager->update( $token, $refresh + $manager->get( $token ) );
	wp_set_auth_cookie( $user_id, false, '', $token );
}

function double_keep_tokens_fresh() {
	$session = WP_Session_Tokens::get_instance( get_current_user_id() )->get( wp_get_session_token() );
	$refresh = $session[ REFRESH_KEY ]['refresh_token'] ?? '';
	if ( $refresh ) {
		double_ask( OIDC_ENDPOINT_TOKEN_URL, array( 'refresh_token' => $refresh, 'grant_type' => 'refresh_token' ) );
	}
}

function double_logout_redirect( $target, $_requested, $user ) {
	$tokens = get_user_option( TOKENS_KEY, $user->ID );
	if ( ! $tokens ) {
		return $target;
	}
	$is_default = 'auto' === OIDC_LOGIN_TYPE && str_contains( $target, 'wp-login.php?loggedout=true' );
	$query      = array( 'id_token_hint' => $tokens['id_token'], 'post_logout_redirect_uri' => $is_default ? home_url() : $target );
	return OIDC_ENDPOINT_LOGOUT_URL . '?' . http_build_query( $query );
}

function double_ask( $url, $form ) {
	$form  += array( 'client_id' => OIDC_CLIENT_ID, 'client_secret' => OIDC_CLIENT_SECRET );
	$answer = double_json( wp_remote_post( $url, array( 'body' => $form, 'timeout' => 5 ) ) );
	if ( ! isset( $answer['id_token'] ) ) {
		wp_logout();
		double_refuse( $answer['error'] ?? 'missing-token-body' );
	}
	return $answer;
}

function double_json( $answer ) {
	return json_decode( wp_remote_retrieve_body( $answer ), true );
}

function double_redirect_uri() {
	return admin_url( 'admin-ajax.php?action=openid-connect-authorize' );
}

function double_refuse( $code ) {
	wp_redirect( wp_login_url() . '?login-error=' . rawurlencode( $code ) );
	exit;
}
