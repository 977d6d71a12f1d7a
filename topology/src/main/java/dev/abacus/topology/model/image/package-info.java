/**
 * Images that documents name by address. Read {@link dev.abacus.topology.model.image.ImagePolicy}
 * (which addresses are allowed) first, then {@link
 * dev.abacus.topology.model.image.ImageModelClient}, which applies it to requests.
 */
@NullMarked
package dev.abacus.topology.model.image;

import org.jspecify.annotations.NullMarked;
