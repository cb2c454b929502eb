<?php
// What was asked for, who WordPress says it is, and where its "Log Out" leads.
header( 'Content-Type: application/json' );
echo wp_json_encode( array(
	'path'   => $_SERVER['REQUEST_URI'],
	'title'  => is_singular() ? get_the_title() : '',
	'user'   => wp_get_current_user()->user_login,
	'logout' => html_entity_decode( wp_logout_url() ),
) );
