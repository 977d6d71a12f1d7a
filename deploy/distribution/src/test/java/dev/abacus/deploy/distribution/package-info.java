/** Tests of the archives. */
@NullMarked
package dev.abacus.deploy.distribution;

import org.jspecify.annotations.NullMarked;
