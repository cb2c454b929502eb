<?php
/**
 * What a WordPress behind Usher needs beside the plugin OpenID Connect Generic Client (daggerhart-openid-connect-generic):
 * copy this file to wp-content/mu-plugins/usher.php. docs/relying-parties/wordpress.md says more.
 */

// Settings of the plugin for which it has no constants. Usher's `login_timeout` is a little less than the time limit.
add_filter( 'openid-connect-generic-settings', function ( $settings ) {
	$settings->state_time_limit = 3600;
	$settings->identity_key     = 'sub';
	$settings->nickname_key     = 'sub';
	return $settings;
} );

// "Log Out" leads to a page that is not behind the login; the home page would lead back into the line.
add_filter( 'logout_redirect', fn () => home_url( '/goodbye.html' ) );

// Whose admission has ended is logged out within a minute, and stands in line again. While Usher is away they stay in.
add_action( 'init', function () {
	$token   = wp_get_session_token();
	$manager = WP_Session_Tokens::get_instance( get_current_user_id() );
	$session = $manager->get( $token );
	$refresh = $session['openid-connect-generic-refresh']['refresh_token'] ?? '';
	$seconds = defined( 'USHER_ASK_SECONDS' ) ? USHER_ASK_SECONDS : 60;
	if ( ! $refresh || time() < ( $session['usher_asked'] ?? $session['login'] ) + $seconds ) {
		return;
	}
	$manager->update( $token, array( 'usher_asked' => time() ) + $session );
	$answer = wp_remote_post( OIDC_ENDPOINT_TOKEN_URL, array(
		'timeout' => 3,
		'body'    => array(
			'grant_type'    => 'refresh_token',
			'refresh_token' => $refresh,
			'client_id'     => OIDC_CLIENT_ID,
			'client_secret' => OIDC_CLIENT_SECRET,
		),
	) );
	$told = json_decode( wp_remote_retrieve_body( $answer ), true );
	if ( 'invalid_grant' === ( $told['error'] ?? '' ) ) {
		wp_logout();
		wp_safe_redirect( $_SERVER['REQUEST_URI'] );
		exit;
	}
} );
