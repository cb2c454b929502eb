# The portal under /auth/, and a site that LemonLDAP::NG's handler protects everywhere else.
package Site;
use strict;
use warnings;
use base 'Lemonldap::NG::Handler::PSGI';

# The page: what was asked for, and who LemonLDAP::NG says it is.
sub handler {
    my ( $self, $req ) = @_;
    my $env  = $req->env;
    my %told = map { $_ => $env->{$_} } grep { /^HTTP_USHER_/ } keys %$env;
    return $self->sendJSONresponse( $req, { path => $env->{REQUEST_URI}, told => \%told } );
}

package main;
use Plack::Builder;
use Lemonldap::NG::Portal::Main;

my $portal = Lemonldap::NG::Portal::Main->run( {} );
my $site   = Site->run( { protection => 'manager' } );
builder {
    mount '/auth' => $portal;
    mount '/'     => $site;
};
