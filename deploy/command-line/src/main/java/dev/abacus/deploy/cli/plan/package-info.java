/**
 * Commands about plans: {@code plan list|show|diff|activate|rollback|pin|unpin}, {@code explain},
 * {@code estimate}, {@code search} and {@code priors}.
 */
@NullMarked
package dev.abacus.deploy.cli.plan;

import org.jspecify.annotations.NullMarked;
