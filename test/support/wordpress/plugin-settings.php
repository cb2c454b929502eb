<?php
// What an editor sets on the plugin's page, where nothing else does.
add_filter( 'openid-connect-generic-settings', function ( $settings ) {
	$settings->identity_key = 'sub';
	$settings->nickname_key = 'sub';
	return $settings;
} );
