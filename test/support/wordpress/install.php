<?php
// Sets up the database of a new WordPress, with the plugin active. Sites may share one.
define( 'ABSPATH', getenv( 'SITE_FOLDER' ) . '/' );
define( 'WP_INSTALLING', true );
require ABSPATH . 'wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
if ( is_blog_installed() ) {
	exit;
}
// An address that is not asked whether it takes permalinks, and a mail that is not sent.
add_filter( 'pre_http_request', '__return_true' );
add_filter( 'pre_wp_mail', '__return_false' );
wp_install( 'Shop', 'editor', 'editor@example.test', true, '', wp_generate_password( 32 ) );
update_option( 'permalink_structure', '/%postname%/' );
update_option( 'active_plugins', array( getenv( 'PLUGIN_FILE' ) ) );
switch_theme( 'shop' );
wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_name' => 'cart', 'post_title' => 'Cart' ) );
