<?php
// For PHP's own web server: files as they are, everything else is WordPress's.
// PHP tells a link from what it leads to, and WordPress looks for its configuration beside the latter if it is not told.
define( 'ABSPATH', $_SERVER['DOCUMENT_ROOT'] . '/' );
$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( '/' !== $path && is_file( $_SERVER['DOCUMENT_ROOT'] . $path ) ) {
	return false;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
$_SERVER['PHP_SELF']    = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
