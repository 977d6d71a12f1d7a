/** Documents on a real broker while their model is limited or cannot be called. */
@NullMarked
package dev.abacus.deploy.admission;

import org.jspecify.annotations.NullMarked;
