/** Documents of a set: kind, name, tree with places, and canonical content. */
package io.spillway.policies.document;
